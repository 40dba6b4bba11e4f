import { expect, test } from 'vitest';
import { shownSecret, showSecret, subscribeToSecrets } from './secret-store.ts';

/** Shows a secret; returns what its button does, what happens when its page is left, and how often the page went on. */
function open(text: string) {
  let store: () => void = () => undefined;
  let stored = 0;
  const leave = showSecret(
    (close) => {
      store = close;
      return text;
    },
    () => {
      stored += 1;
    },
  );
  return { store: () => store(), leave, stored: () => stored };
}

test('a secret stays when the page that made it is left, until the person says that it is stored', () => {
  const { store, leave, stored } = open('sk_test_1');
  leave();
  expect(shownSecret()?.content).toBe('sk_test_1');
  store();
  expect([shownSecret(), stored()]).toEqual([null, 0]);
});

test('the page that made it goes on once it is stored', () => {
  let changes = 0;
  const unsubscribe = subscribeToSecrets(() => {
    changes += 1;
  });
  const first = open('sk_test_1');
  const second = open('sk_test_2');
  expect(shownSecret()).toBe(shownSecret());
  first.store();
  expect([shownSecret()?.content, first.stored(), second.stored()]).toEqual(['sk_test_2', 1, 0]);
  second.store();
  unsubscribe();
  expect([shownSecret(), second.stored(), changes]).toEqual([null, 1, 4]);
});

import { expect, onTestFinished, test } from 'vitest';
import { dismissToast, noToasts, shownToasts, showToast, subscribeToToasts } from './toast-store.ts';

const texts = () => shownToasts().map(({ text }) => text);

const action = { label: 'Undo', run: () => undefined };

test('messages that offer an action stay, oldest first, the latest of them only, and each can be removed', () => {
  let changes = 0;
  const unsubscribe = subscribeToToasts(() => {
    changes += 1;
  });
  const removals = ['1', '2', '3', '4', '5', '6', '7', '8'].map((text) => showToast({ text, action }));
  onTestFinished(() => removals.forEach((remove) => void remove()));
  const shown = texts();
  expect([shown.at(-1), shown.length < 8, changes]).toEqual(['8', true, 8]);
  removals[7]?.();
  expect([texts(), changes]).toEqual([shown.slice(0, -1), 9]);
  removals[7]?.();
  dismissToast(-1);
  expect([texts(), changes]).toEqual([shown.slice(0, -1), 9]);
  unsubscribe();
  removals[6]?.();
  expect(changes).toBe(9);
});

test('a newer message replaces older ones, except those about something else that can still be undone', () => {
  const removals = [
    showToast({ text: 'Saved' }),
    showToast({ text: 'Key A was revoked', subject: 'a', action }),
    showToast({ text: 'Key B was revoked', subject: 'b', action }),
  ];
  onTestFinished(() => removals.forEach((remove) => void remove()));
  expect(texts()).toEqual(['Key A was revoked', 'Key B was revoked']);
  removals.push(showToast({ text: 'Key A was restored', subject: 'a' }));
  expect(texts()).toEqual(['Key B was revoked', 'Key A was restored']);
  removals.push(showToast({ text: 'Saved again' }));
  expect(texts()).toEqual(['Key B was revoked', 'Saved again']);
});

test('the list is the same array until it changes, as is the empty list of a server', () => {
  expect(shownToasts()).toBe(shownToasts());
  expect(noToasts()).toBe(noToasts());
  expect(noToasts()).toEqual([]);
});

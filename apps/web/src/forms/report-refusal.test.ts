import { beforeEach, expect, test } from 'vitest';
import { dismissToast, shownToasts } from '#/components/toasts/toast-store.ts';
import { reportRefusal } from './reply.ts';

beforeEach(() => {
  for (const { id } of shownToasts()) dismissToast(id);
});
const shown = () => shownToasts().map(({ text, tone }) => ({ text, tone }));

test('a refusal is shown in a message', async () => {
  await reportRefusal(Promise.resolve('It has ended.'));
  expect(shown()).toEqual([{ text: 'It has ended.', tone: 'bad' }]);
});

test('so is a failed call', async () => {
  await reportRefusal(Promise.reject(new Error('The server did not answer.')));
  expect(shown()).toEqual([{ text: 'The server did not answer.', tone: 'bad' }]);
});

test('what was done has nothing to say', async () => {
  await reportRefusal(Promise.resolve(null));
  expect(shown()).toEqual([]);
});

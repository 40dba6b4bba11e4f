import { beforeEach, expect, test } from 'vitest';
import { dismissToast, shownToasts } from '#/components/toasts/toast-store.ts';
import { reportRefusal } from './report-refusal.ts';

beforeEach(() => {
  for (const { id } of shownToasts()) dismissToast(id);
});
const shown = () => shownToasts().map(({ text, tone }) => ({ text, tone }));

test.each([
  ['a refusal', Promise.resolve('It has ended.'), 'It has ended.'],
  ['problems of fields', Promise.resolve([{ field: 'reason', message: 'must be shorter' }]), 'Reason must be shorter.'],
])('%s is shown in a message', async (_, answer, text) => {
  await reportRefusal(answer);
  expect(shown()).toEqual([{ text, tone: 'bad' }]);
});

test('so is a failed call', async () => {
  await reportRefusal(Promise.reject(new Error('The server did not answer.')));
  expect(shown()).toEqual([{ text: 'The server did not answer.', tone: 'bad' }]);
});

test('what was done has nothing to say', async () => {
  await reportRefusal(Promise.resolve(null));
  expect(shown()).toEqual([]);
});

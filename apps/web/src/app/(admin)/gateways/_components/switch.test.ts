import { beforeEach, expect, test } from 'vitest';
import { shownToasts } from '#/components/toasts/toast-store.ts';
import { openHookPage } from '#/testing/hook-page.ts';
import { useSwitch } from './switch.tsx';

const page = openHookPage('?mode=live&merchant=m-1');

/** The account as the list has it, read again on every rendering. */
let enabled: boolean;
const open = () => page.render(() => useSwitch({ id: 'a-1', merchantId: 'm-1', label: 'kora-main', enabled }));

beforeEach(() => {
  enabled = true;
  page.server().on('gateways.list', () => []);
  page.server().on('gateways.update', () => ({ kind: 'updated' }));
});

test('an open question keeps its direction when another person has switched the account meanwhile', async () => {
  const { result, act, rerender } = await open();
  await act(() => result.current.ask());
  enabled = false;
  await rerender(undefined);
  expect(result.current).toMatchObject({ asked: 'disable', isDone: true });
  await act(() => result.current.confirm());
  expect(page.server().calls('gateways.update')).toMatchObject([{ changes: { enabled: false } }]);
});

test('the account is disabled, and the message offers to enable it again', async () => {
  const { result, act } = await open();
  await act(() => result.current.ask());
  expect(result.current.isDone).toBe(false);
  await act(() => result.current.confirm());
  const toast = shownToasts().at(-1);
  expect([toast?.text, toast?.action?.label]).toEqual(['Account "kora-main" is disabled.', 'Enable it again']);
  await act(() => toast?.action?.run());
  expect(page.server().calls('gateways.update').at(-1)).toMatchObject({ changes: { enabled: true } });
});

test.each([
  ['the account is gone', () => ({ kind: 'not_found' }), 'The account does not exist any more.'],
  [
    'the server failed',
    () => {
      throw new Error('The database is unavailable.');
    },
    'The database is unavailable.',
  ],
])('the question stays open and rejects with why nothing was done: %s', async (_why, answer, refusal) => {
  page.server().on('gateways.update', answer);
  const { result, act } = await open();
  await act(() => result.current.ask());
  await act(() => expect(result.current.confirm()).rejects.toThrow(refusal));
  expect(result.current.asked).toBe('disable');
});

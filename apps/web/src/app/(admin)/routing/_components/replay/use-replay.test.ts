import { expect, test } from 'vitest';
import { z } from 'zod';
import { openHookPage, renderHook } from '#/testing/hook-page.ts';
import { type ReplayRules, useReplay } from './use-replay.ts';

const page = openHookPage('?mode=test&merchant=m-1');
const RULES: ReplayRules = { kind: 'draft', draftId: 'd-1' };
const DAY_MS = 86_400_000;
const inputSchema = z.object({ from: z.date(), to: z.date(), conditions: z.string() });
const open = () => page.render(() => useReplay(RULES, 7, 1));
const begun = () => page.server().calls('routing.replay').length;

test('the last days are replayed, to the moment of the request', async () => {
  const now = Date.now();
  await open();
  const { from, to, conditions } = inputSchema.parse(page.server().calls('routing.replay')[0]);
  expect(to.getTime() - from.getTime()).toBe(7 * DAY_MS);
  expect([to.getTime(), conditions]).toEqual([now, 'as_they_were']);
});

test('progress is shown until the result, which ends the subscription', async () => {
  const { result } = await open();
  expect(result.current.state).toEqual({ kind: 'running', done: 0, total: null, moved: 0 });
  await page.server().emit('routing.replay', { kind: 'progress', done: 40, total: 100, moved: 3 });
  expect(result.current.state).toEqual({ kind: 'running', done: 40, total: 100, moved: 3 });
  await page.server().emit('routing.replay', { kind: 'done', payments: 100, moved: 5 });
  expect(result.current.state).toMatchObject({ kind: 'done', payments: 100, moved: 5, period: { to: expect.any(Date) } });
  expect(page.server().subscriptions('routing.replay')).toEqual([]);
});

test('a server at its capacity is asked again after two seconds, without an action of the user', async () => {
  const { result } = await open();
  await page.server().emit('routing.replay', { kind: 'busy' });
  expect(result.current.state).toEqual({ kind: 'busy' });
  await page.wait(1_999);
  expect(begun()).toBe(1);
  await page.wait(1);
  expect([begun(), result.current.state.kind]).toEqual([2, 'running']);
});

test('a changed token replays anew and drops the old result', async () => {
  const { wrapper } = page.server();
  const replay = await renderHook((token: number) => useReplay(RULES, 7, token), { props: 1, wrapper });
  await page.server().emit('routing.replay', { kind: 'done', payments: 100, moved: 5 });
  await replay.rerender(2);
  expect([begun(), replay.result.current.state]).toEqual([2, { kind: 'running', done: 0, total: null, moved: 0 }]);
  await replay.unmount();
});

test.each([
  [{ kind: 'invalid' }, { kind: 'invalid' }],
  [{ kind: 'not_found' }, { kind: 'failed', message: 'This merchant no longer exists.' }],
])('what cannot be replayed ends the replay: %j', async (step, state) => {
  const { result } = await open();
  await page.server().emit('routing.replay', step);
  expect(result.current.state).toEqual(state);
  expect(page.server().subscriptions('routing.replay')).toEqual([]);
});

test('a lost connection shows the failure, and `again` begins anew', async () => {
  const { result, act } = await open();
  await page.server().failSubscriptions('routing.replay', 'No network.');
  expect(result.current.state).toEqual({ kind: 'failed', message: 'No network.' });
  await act(() => result.current.again());
  expect([begun(), result.current.state.kind]).toEqual([2, 'running']);
});

test('while it is not enabled nothing is asked of the server', async () => {
  await page.render(() => useReplay(RULES, 7, 1, { enabled: false }));
  expect(begun()).toBe(0);
});

import { createElement } from 'react';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type RenderedHook, renderHook } from '#/testing/hook-page.ts';
import { openWindow } from '#/testing/window.ts';

openWindow();
afterAll(() => vi.unstubAllGlobals());

const RENDERED_AT = Date.parse('2026-11-21T12:00:00Z');
const OPENED_AT = RENDERED_AT + 700;
const TICK_MS = 5_000;
let rendered: RenderedHook<number, undefined>[] = [];

let now: typeof import('./now.tsx');

async function openClock(): Promise<RenderedHook<number, undefined>> {
  const { NowProvider, useNow } = now;
  const clock = await renderHook(useNow, {
    props: undefined,
    wrapper: ({ children }) => createElement(NowProvider, { initial: RENDERED_AT, children }),
  });
  rendered.push(clock);
  return clock;
}

beforeEach(async () => {
  // The clock of a page that was just opened, whatever other suites of this process have shown.
  vi.resetModules();
  now = await import('./now.tsx');
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearInterval', 'Date'], now: OPENED_AT });
  rendered = [];
});

afterEach(async () => {
  for (const { unmount } of rendered) await unmount();
  vi.useRealTimers();
});

test('the time is that of the rendering at first and moves on every five seconds, the same for every component', async () => {
  const first = await openClock();
  const second = await openClock();
  expect(first.result.current).toBe(RENDERED_AT);
  await first.act(() => vi.advanceTimersByTimeAsync(TICK_MS - 1));
  expect(first.result.current).toBe(RENDERED_AT);
  await first.act(() => vi.advanceTimersByTimeAsync(1));
  expect([first.result.current, second.result.current]).toEqual([OPENED_AT + TICK_MS, OPENED_AT + TICK_MS]);
});

test('the timer ends with the last component that shows the time', async () => {
  const first = await openClock();
  const second = await openClock();
  await first.unmount();
  expect(vi.getTimerCount()).toBe(1);
  await second.unmount();
  expect(vi.getTimerCount()).toBe(0);
});

test('a page that is shown again shows the present time at once: timers of a hidden page are late', async () => {
  const clock = await openClock();
  vi.setSystemTime(OPENED_AT + 50_000);
  await clock.act(async () => void document.dispatchEvent(new Event('visibilitychange')));
  expect(clock.result.current).toBe(OPENED_AT + 50_000);
});

import { afterEach, expect, test } from 'vitest';
import { openHookPage } from '#/testing/hook-page.ts';
import { openOverlay, shortcutsAreOn, switchShortcuts, useOverlay, useShortcutsAreOn } from './command-store.ts';

const page = openHookPage('');

afterEach(() => {
  page.window.localStorage.isBlocked = false;
  openOverlay(null);
  switchShortcuts(true);
});

test('one overlay is open at a time: the next replaces it, and null closes it', async () => {
  const { result, act } = await page.render(useOverlay);
  await act(() => openOverlay('commands'));
  expect(result.current).toBe('commands');
  await act(() => openOverlay('shortcuts'));
  expect(result.current).toBe('shortcuts');
  await act(() => openOverlay(null));
  expect(result.current).toBeNull();
});

test('shortcuts that are switched off stay off for the browser, and every component sees it at once', async () => {
  const { result, act } = await page.render(useShortcutsAreOn);
  expect(result.current).toBe(true);
  await act(() => switchShortcuts(false));
  expect([result.current, shortcutsAreOn()]).toEqual([false, false]);
  await act(() => switchShortcuts(true));
  expect([result.current, shortcutsAreOn()]).toEqual([true, true]);
});

test('shortcuts stay on where the browser blocks storage, without an error', async () => {
  page.window.localStorage.isBlocked = true;
  const { result, act } = await page.render(useShortcutsAreOn);
  await act(() => switchShortcuts(false));
  expect(result.current).toBe(true);
});

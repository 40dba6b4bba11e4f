import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type RenderedHook, renderHook } from '#/testing/hook-page.ts';
import { keydown, openWindow } from '#/testing/window.ts';
import { useShortcuts } from './command-bar.tsx';
import { openOverlay, switchShortcuts, useOverlay, useShortcutsAreOn } from './command-store.ts';
import type { CommandTools } from './commands.ts';

const window = openWindow();
afterAll(() => vi.unstubAllGlobals());

const went: string[] = [];
const tools: CommandTools = {
  scope: { mode: 'test', merchantId: null },
  go: (path) => went.push(path),
  toggleScheme: () => went.push('scheme'),
  showShortcuts: () => openOverlay('shortcuts'),
  signOut: () => went.push('sign out'),
};

let page: RenderedHook<ReturnType<typeof useOverlay>, { offered: boolean }>;

beforeEach(async () => {
  went.length = 0;
  page = await renderHook(
    ({ offered }: { offered: boolean }) => {
      useShortcuts(tools, () => offered);
      return useOverlay();
    },
    { props: { offered: true } },
  );
});

afterEach(async () => {
  await page.act(() => {
    openOverlay(null);
    switchShortcuts(true);
  });
  await page.unmount();
});

const press = (...keys: Event[]) => page.act(() => keys.map((key) => window.dispatchEvent(key)));

describe('shortcuts of a page', () => {
  test('lead to a page by two keys, one after the other', async () => {
    await press(keydown('g', { at: 0 }), keydown('p', { at: 1_000 }));
    expect(went).toEqual(['/payments']);
  });

  test('do nothing when the second key comes late, or alone', async () => {
    await press(keydown('g', { at: 0 }), keydown('p', { at: 1_600 }), keydown('p', { at: 5_000 }));
    expect(went).toEqual([]);
  });

  test('open the menu by Ctrl or Command with K, and take the key from the browser', async () => {
    for (const modifier of [{ ctrlKey: true }, { metaKey: true }]) {
      const key = keydown('k', modifier);
      await press(key);
      expect([page.result.current, key.defaultPrevented]).toEqual(['commands', true]);
      await page.act(() => openOverlay(null));
    }
  });

  test('open the menu by a slash on a page without a search field', async () => {
    await press(keydown('/'));
    expect(page.result.current).toBe('commands');
  });

  test('leave keys with a modifier, and keys that were used already, to others', async () => {
    const used = keydown('p', { at: 2 });
    used.preventDefault();
    await press(keydown('g', { at: 0, altKey: true }), keydown('p', { at: 1 }), keydown('g', { at: 1 }), used);
    expect(went).toEqual([]);
  });

  test('stay out of what a person types into a field', async () => {
    for (const name of ['input', 'textarea', 'select']) {
      const target = window.document.createElement(name);
      await press(keydown('g', { at: 0, target }), keydown('p', { at: 1, target }), keydown('/', { target }));
    }
    expect([went, page.result.current]).toEqual([[], null]);
  });

  test('run only commands that are offered, as of the latest rendering', async () => {
    await page.rerender({ offered: false });
    await press(keydown('g', { at: 0 }), keydown('p', { at: 1 }));
    expect(went).toEqual([]);
  });

  test('do nothing once the component is unmounted', async () => {
    await page.unmount();
    window.dispatchEvent(keydown('g', { at: 0 }));
    window.dispatchEvent(keydown('p', { at: 1 }));
    expect(went).toEqual([]);
  });
});

describe('single keys that are switched off', () => {
  test('do nothing, while Ctrl-K still opens the menu', async () => {
    await page.act(() => switchShortcuts(false));
    await press(keydown('g', { at: 0 }), keydown('p', { at: 1 }), keydown('/'));
    expect([went, page.result.current]).toEqual([[], null]);
    await press(keydown('k', { ctrlKey: true }));
    expect(page.result.current).toBe('commands');
  });

  test('stay off in this browser, and show as such at once', async () => {
    const setting = await renderHook(useShortcutsAreOn, { props: undefined });
    expect(setting.result.current).toBe(true);
    await setting.act(() => switchShortcuts(false));
    expect([setting.result.current, window.localStorage.getItem('shortcuts')]).toEqual([false, 'off']);
    await setting.unmount();
  });

  test('cannot be switched off where the browser keeps nothing', async () => {
    window.localStorage.isBlocked = true;
    const setting = await renderHook(useShortcutsAreOn, { props: undefined });
    await setting.act(() => switchShortcuts(false));
    expect(setting.result.current).toBe(true);
    await setting.unmount();
    window.localStorage.isBlocked = false;
  });
});

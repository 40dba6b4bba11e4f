import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { type RenderedHook, renderHook } from '#/testing/hook-page.ts';
import { openWindow } from '#/testing/window.ts';
import { useStoredText } from './use-stored-text.ts';

const window = openWindow();
afterAll(() => vi.unstubAllGlobals());

let page: RenderedHook<ReturnType<typeof useStoredText>, string>;
const open = async (name: string) => {
  page = await renderHook(useStoredText, { props: name });
};
const type = (text: string) => page.act(() => page.result.current[1](text));
const text = () => page.result.current[0];

afterEach(async () => {
  window.sessionStorage.isBlocked = false;
  await page.unmount();
});

test('text is there again when its page is opened again, each name with its own', async () => {
  await open('reason 1');
  expect(text()).toBe('');
  await type('Fewer fees');
  await page.unmount();
  await open('reason 1');
  expect(text()).toBe('Fewer fees');
  await page.rerender('reason 2');
  expect(text()).toBe('');
});

test('emptied text leaves nothing behind', async () => {
  await open('reason 3');
  await type('Fewer fees');
  await type('');
  await page.unmount();
  await open('reason 3');
  expect(text()).toBe('');
});

test('text can be typed where the browser keeps nothing', async () => {
  window.sessionStorage.isBlocked = true;
  await open('reason 4');
  await type('Fewer fees');
  expect(text()).toBe('Fewer fees');
});

import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type RenderedHook, renderHook } from '#/testing/render-hook.ts';
import { openWindow } from '#/testing/window.ts';
import { type RequiredNote, useRequiredNote } from './note-field.tsx';

openWindow();
afterAll(() => vi.unstubAllGlobals());

let form: RenderedHook<RequiredNote, undefined>;
const note = () => form.result.current;

beforeEach(async () => {
  form = await renderHook(useRequiredNote, { props: undefined });
});
afterEach(() => form.unmount());

test('a decision without a note is refused, and the problem goes once the field is left with one', async () => {
  await form.act(() => note().change('  '));
  await form.act(() => expect(note().validate()).toBeNull());
  expect(note().problem).toBe('must not be empty');
  await form.act(() => note().leave());
  expect(note().problem).toBe('must not be empty');
  await form.act(() => note().change(' Paid twice '));
  await form.act(() => note().leave());
  expect(note().problem).toBeNull();
  await form.act(() => expect(note().validate()).toBe('Paid twice'));
});

test('an empty note is no problem before it is needed', async () => {
  await form.act(() => note().leave());
  expect(note().problem).toBeNull();
});

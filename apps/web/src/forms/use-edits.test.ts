import { expect, test } from 'vitest';
import { renderHook } from '../testing/render-hook.ts';
import { openWindow } from '../testing/window.ts';
import { useEdits } from './use-edits.ts';

openWindow();

const STORED = { name: 'Yaba Gadget Hub', minutes: '60' };
const open = () => renderHook((stored: typeof STORED) => useEdits(stored), { props: STORED });

test('fields that were not edited follow what another person stores, and edited ones keep what was typed', async () => {
  const { result, act, rerender, unmount } = await open();
  await act(() => result.current.edit({ minutes: '30' }));
  await rerender({ name: 'Yaba Gadgets', minutes: '45' });
  expect(result.current.draft).toEqual({ name: 'Yaba Gadgets', minutes: '30' });
  await act(() => result.current.discard());
  expect(result.current.draft).toEqual({ name: 'Yaba Gadgets', minutes: '45' });
  await unmount();
});

test('after a save the form shows what is stored, also when the save is undone elsewhere', async () => {
  const { result, act, rerender, unmount } = await open();
  await act(() => result.current.edit({ minutes: '30' }));
  const { draft, saved } = result.current;
  await act(() => result.current.edit({ name: 'Yaba' }));
  await rerender(draft);
  await act(() => saved(draft));
  expect(result.current.draft).toEqual({ name: 'Yaba', minutes: '30' });
  await rerender(STORED);
  expect(result.current.draft).toEqual({ name: 'Yaba', minutes: '60' });
  await unmount();
});

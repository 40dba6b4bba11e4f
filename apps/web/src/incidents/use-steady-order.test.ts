import { expect, test } from 'vitest';
import { renderHook } from '../testing/render-hook.ts';
import { openWindow } from '../testing/window.ts';
import { useSteadyOrder } from './use-steady-order.ts';

openWindow();

test('what is shown stays where it is when live data sorts it anew, and what is new comes last', async () => {
  const { result, rerender, unmount } = await renderHook((items: string[]) => useSteadyOrder(items, (id) => id), {
    props: ['a', 'b', 'c'],
  });
  await rerender(['c', 'd', 'a', 'b']);
  expect(result.current).toEqual(['a', 'b', 'c', 'd']);
  await rerender(['d', 'b']);
  expect(result.current).toEqual(['b', 'd']);
  await rerender(['a', 'd', 'b']);
  expect(result.current).toEqual(['b', 'd', 'a']);
  await unmount();
});

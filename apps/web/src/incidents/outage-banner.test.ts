import { describe, expect, test } from 'vitest';
import { renderHook } from '../testing/hook-page.ts';
import { openWindow } from '../testing/window.ts';
import { outageTitle, useSteadyOrder } from './outage-banner.tsx';
import { outageMark } from './tab-mark.tsx';
import type { OutageAccount } from './use-attention.ts';

const account = (label: string, gatewayTitle: string, state: OutageAccount['state'] = 'down'): OutageAccount => ({
  merchantId: 'm-1',
  merchantName: 'Demo',
  accountId: label,
  gateway: gatewayTitle.toLowerCase(),
  gatewayTitle,
  label,
  state,
  since: new Date('2026-11-20T14:02:00Z'),
  why: null,
  drain: null,
});

const of = (merchantId: string, one: OutageAccount): OutageAccount => ({ ...one, merchantId });

test.each([
  [[account('paystack-main', 'Paystack')], false, 'Paystack (paystack-main) is down'],
  [[account('paystack-main', 'Paystack', 'probing')], false, 'Paystack (paystack-main) is being probed'],
  [[account('a', 'Paystack'), of('m-2', account('b', 'Paystack'))], true, 'Paystack is down for 2 merchants'],
  [[account('a', 'Paystack'), account('b', 'Paystack', 'degraded')], false, 'Paystack is in trouble for 2 accounts'],
  [[account('a', 'Paystack'), account('b', 'Kora')], false, 'Paystack, Kora are down'],
  [[account('a', 'Paystack'), account('b', 'Kora', 'degraded')], true, 'Correlated outage: Paystack, Kora are in trouble'],
])('an outage has one title', (accounts, isCorrelated, title) => {
  expect(outageTitle({ accounts, isCorrelated })).toBe(title);
});

test.each([
  [[account('a', 'Paystack')], 'Paystack down'],
  [[account('a', 'Paystack'), account('b', 'Paystack')], 'Paystack down'],
  [[account('a', 'Paystack', 'degraded'), account('b', 'Kora', 'degraded')], 'Paystack and 1 more degraded'],
])('and a mark for the title of the tab', (accounts, mark) => {
  expect(outageMark({ accounts })).toBe(mark);
});

describe('use steady order', () => {
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

  test('items that are lists stay what they are', async () => {
    const { result, unmount } = await renderHook((items: readonly string[][]) => useSteadyOrder(items, ([id = '']) => id), {
      props: [['a', 'b'], ['c']],
    });
    expect(result.current).toEqual([['a', 'b'], ['c']]);
    await unmount();
  });
});

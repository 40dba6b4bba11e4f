import { describe, expect, test } from 'vitest';
import { renderHook } from '../testing/hook-page.ts';
import { openWindow } from '../testing/window.ts';
import { outageTitle, useSteadyOrder } from './outage-banner.tsx';
import type { OutageAccount } from './use-outage.ts';

const account = (label: string, gatewayTitle: string, state: OutageAccount['state'] = 'down'): OutageAccount => ({
  merchantId: 'm-1',
  merchantName: 'Demo',
  accountId: label,
  gatewayTitle,
  label,
  state,
  since: new Date('2026-11-20T14:02:00Z'),
  why: null,
  drain: null,
});

test.each([
  [[account('paystack-main', 'Paystack')], false, 'Paystack (paystack-main) is down'],
  [[account('paystack-main', 'Paystack', 'probing')], false, 'Paystack (paystack-main) is being probed'],
  [[account('a', 'Paystack'), account('b', 'Kora')], false, '2 gateway accounts are down (Paystack, Kora)'],
  [
    [account('a', 'Paystack'), account('b', 'Kora', 'degraded')],
    true,
    'Correlated outage: 2 gateway accounts are in trouble (Paystack, Kora)',
  ],
])('an outage has one title', (accounts, isCorrelated, title) => {
  expect(outageTitle({ accounts, isCorrelated })).toBe(title);
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
});

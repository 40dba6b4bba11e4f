import { expect, test } from 'vitest';
import { outageTitle } from './outage-text.ts';
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

import { expect, test } from 'vitest';
import { outageImpact, outageTitle } from './outage-text.ts';
import type { OutageAccount } from './use-outage.ts';

const account = (label: string, gatewayTitle: string, state: OutageAccount['state'] = 'down'): OutageAccount => ({
  merchantId: 'm-1',
  merchantName: 'Demo',
  accountId: label,
  gatewayTitle,
  label,
  state,
  since: new Date('2026-11-20T14:02:00Z'),
  why: '',
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

test('the impact says what fallbacks caught and what failed, and never adds two currencies', () => {
  const nothing = { payments: 0, amount: 0n, caught: 0, caughtAmount: 0n, failed: 0, failedAmount: 0n };
  const sentence = (impact: Parameters<typeof outageImpact>[0]) => {
    const { affected, rest } = outageImpact(impact);
    return `${affected ?? ''}${rest}`;
  };
  expect(outageImpact([])).toEqual({ affected: null, rest: 'No payment has been affected so far.' });
  expect(
    sentence([
      {
        currency: 'NGN',
        payments: 1_200,
        amount: 4_000_000n,
        caught: 1_199,
        caughtAmount: 3_990_000n,
        failed: 1,
        failedAmount: 10_000n,
      },
      { ...nothing, currency: 'GHS', payments: 2, amount: 90n, caught: 2, caughtAmount: 90n },
    ]),
  ).toBe(
    '1,202 payments (NGN 4,000,000.00, GHS 90.00) affected: fallbacks caught 1,201 (NGN 3,990,000.00, GHS 90.00), 1 failed (NGN 10,000.00).',
  );
  expect(sentence([{ ...nothing, currency: 'NGN', payments: 1, amount: 5n }])).toBe(
    '1 payment (NGN 5.00) affected: fallbacks caught none, none failed.',
  );
});

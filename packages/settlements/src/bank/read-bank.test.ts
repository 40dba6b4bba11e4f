import { expect, test } from 'vitest';
import { sumArrivals } from './read-bank.ts';

const PAYOUT = {
  merchantId: 'm-1',
  accountId: 'acc-1',
  gateway: 'paystack',
  settledOn: '2026-11-23',
  currency: 'NGN',
  net: '1000',
  state: 'arrived',
  arrived: '1000',
} as const;
const NOTHING = { onTheWay: '0', missing: '0', notCovered: '0' } as const;

test('sums are those of the payouts, and what was paid out is somewhere', () => {
  const { sums, days } = sumArrivals([
    PAYOUT,
    { ...PAYOUT, net: '2000', state: 'short', arrived: '1950' },
    { ...PAYOUT, net: '500', settledOn: '2026-11-24', state: 'missing', arrived: null },
    { ...PAYOUT, net: '7', currency: 'USD', state: 'on_the_way', arrived: null },
  ]);
  const naira = { ...NOTHING, currency: 'NGN', payouts: 3, paidOut: '3500', arrived: '2950', missing: '500', difference: '-50' };
  const dollars = { ...NOTHING, currency: 'USD', payouts: 1, paidOut: '7', arrived: '0', onTheWay: '7', difference: '0' };
  expect(sums).toEqual([naira, dollars]);
  const day = { merchantId: 'm-1', accountId: 'acc-1', gateway: 'paystack', settledOn: '2026-11-23' };
  expect(days).toEqual([
    { ...day, ...naira, payouts: 2, paidOut: '3000', missing: '0' },
    { ...day, ...naira, settledOn: '2026-11-24', payouts: 1, paidOut: '500', arrived: '0', difference: '0' },
    { ...day, ...dollars },
  ]);
});

test('of a payout whose rest may still come, what came has arrived and the rest is on the way or on no statement', () => {
  const { sums } = sumArrivals([
    { ...PAYOUT, state: 'on_the_way', arrived: '400' },
    { ...PAYOUT, net: '300', state: 'not_covered', arrived: '100' },
  ]);
  expect(sums).toEqual([
    {
      ...NOTHING,
      currency: 'NGN',
      payouts: 2,
      paidOut: '1300',
      arrived: '500',
      onTheWay: '600',
      notCovered: '200',
      difference: '0',
    },
  ]);
});

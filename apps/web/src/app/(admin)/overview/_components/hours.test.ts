import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PAID_STATUSES, UNPAID_STATUSES } from '#/copy/payment-status.ts';
import { isComparable, successRate } from '#/format/amounts.ts';
import { addUp, commonestCurrency, hoursOf, hourValue } from './hours.ts';

test('hours count the payments of all currencies, and the money of one', () => {
  const ngn = { hour: 3, currency: 'NGN', payments: 2, paid: 1, failed: 1, expired: 2, received: 500n };
  const hours = hoursOf([ngn, { ...ngn, currency: 'GHS', received: 70n }], 'NGN');
  expect(hours).toHaveLength(24);
  expect(hours[3]).toEqual({ payments: 4, paid: 2, failed: 2, expired: 4, received: 500n });
  expect(hours[4]).toEqual({ payments: 0, paid: 0, failed: 0, expired: 0, received: 0n });
});

test('an hour has a success rate from twenty finished payments on', () => {
  const hour = { payments: 30, paid: 18, failed: 0, expired: 1, received: 0n };
  expect([hourValue(hour, 'success'), hourValue(hour, 'payments')]).toEqual([null, 30]);
  expect(hourValue({ ...hour, failed: 1 }, 'success')).toBe(0.9);
});

test('fewer than twenty payments are counts, not percentages', () => {
  expect([successRate(0, 0), successRate(18, 1), successRate(19, 1)]).toEqual(['–', '18 of 19', '95.0%']);
  expect([isComparable(19, 400), isComparable(20, 20)]).toEqual([false, true]);
});

const sum = fc.record({
  status: fc.constantFrom('INITIATED', 'PENDING', ...PAID_STATUSES, ...UNPAID_STATUSES),
  currency: fc.constantFrom('NGN', 'KES', 'GHS'),
  count: fc.nat(1_000),
  amount: fc.bigInt({ min: 0n, max: 10n ** 15n }),
});

test('refunded payments count as paid, and every payment is paid, failed, expired or waiting', () => {
  const figures = addUp(
    [
      { status: 'SUCCESS', currency: 'NGN', count: 7, amount: 70_000n },
      { status: 'REFUNDED', currency: 'NGN', count: 1, amount: 500n },
      { status: 'PARTLY_REFUNDED', currency: 'NGN', count: 1, amount: 200n },
      { status: 'FAILED', currency: 'NGN', count: 2, amount: 9_000n },
      { status: 'EXPIRED', currency: 'NGN', count: 5, amount: 9_000n },
      { status: 'PENDING', currency: 'NGN', count: 3, amount: 1n },
    ],
    'NGN',
  );
  expect(figures).toEqual({ received: 70_700n, count: 19, paid: 9, failed: 2, expired: 5, waiting: 3 });
});

test('money of two currencies is never added together; payments of all are counted', () => {
  fc.assert(
    fc.property(fc.array(sum), (sums) => {
      const each = ['NGN', 'KES', 'GHS'].map((currency) => addUp(sums, currency));
      const paid = sums.filter(({ status }) => PAID_STATUSES.some((paidStatus) => paidStatus === status));
      expect(each.reduce((all, { received }) => all + received, 0n)).toBe(paid.reduce((all, { amount }) => all + amount, 0n));
      for (const figures of each) {
        expect(figures.count).toBe(sums.reduce((all, { count }) => all + count, 0));
        expect(figures.paid + figures.failed + figures.expired + figures.waiting).toBe(figures.count);
      }
    }),
  );
});

test('a day without payments is all zeros', () => {
  expect(addUp([], 'NGN')).toEqual({ received: 0n, count: 0, paid: 0, failed: 0, expired: 0, waiting: 0 });
});

test('the currency of a day is that of most of its payments, however they are divided', () => {
  const ngn = { currency: 'NGN', count: 30 };
  expect(commonestCurrency([{ currency: 'KES', count: 40 }, ngn, ngn])).toBe('NGN');
  expect(commonestCurrency([{ currency: 'KES', count: 61 }, ngn, ngn])).toBe('KES');
  expect(commonestCurrency([])).toBe('NGN');
});

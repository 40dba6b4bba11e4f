import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PAID_STATUSES, UNPAID_STATUSES } from '#/copy/payment-status.ts';
import { addUp, commonestCurrency } from './add-up.ts';

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

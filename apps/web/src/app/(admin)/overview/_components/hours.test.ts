import { expect, test } from 'vitest';
import { isComparable, successRate } from '#/format/shares.ts';
import { hoursOf, hourValue } from './hours.ts';

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

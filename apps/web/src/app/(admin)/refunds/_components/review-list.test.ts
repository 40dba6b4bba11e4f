import { expect, test } from 'vitest';
import { describeDifference } from './review-list.tsx';

test('received and expected amounts are distinguished to the kobo', () => {
  expect(describeDifference('NGN', 5_000n, '4500')).toBe('500.00 short');
  expect(describeDifference('NGN', 9_000n, '9100.5')).toBe('100.50 too much');
  expect(describeDifference('NGN', 1_000n, '999.95')).toBe('0.05 short');
  expect(describeDifference('NGN', 1_000n, '1000')).toBeNull();
});

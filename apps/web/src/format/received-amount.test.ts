import { expect, test } from 'vitest';
import { describeDifference } from './received-amount.ts';

test('received and expected amounts are distinguished to the kobo', () => {
  expect(describeDifference(5_000n, '4500')).toBe('500 short');
  expect(describeDifference(9_000n, '9100.5')).toBe('100.50 too much');
  expect(describeDifference(1_000n, '999.95')).toBe('0.05 short');
  expect(describeDifference(1_000n, '1000')).toBeNull();
});

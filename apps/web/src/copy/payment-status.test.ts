import { describe, expect, test } from 'vitest';
import { isPartlyRefunded, PAYMENT_STATUSES } from './payment-status.ts';

describe('a payment is partly refunded', () => {
  test('once a gateway has returned some of it, and not because a refund was requested or failed', () => {
    expect(isPartlyRefunded('SUCCESS', 1n)).toBe(true);
    expect(isPartlyRefunded('SUCCESS', 0n)).toBe(false);
  });

  test('in no other status', () => {
    const others = PAYMENT_STATUSES.filter((status) => status !== 'SUCCESS');
    expect(others.filter((status) => isPartlyRefunded(status, 1_000n))).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import { watchInterval } from './watch-payment.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const refund = (state: 'REQUESTED' | 'PROCESSING' | 'SUCCEEDED' | 'FAILED' | 'NEEDS_ATTENTION', minutesAgo: number) => ({
  state,
  createdAt: new Date(NOW - minutesAgo * 60_000),
});

describe('a payment is read again', () => {
  test('until its checkout has ended', () => {
    expect(watchInterval({ status: 'PENDING', refunds: [] }, NOW)).toBe(5_000);
    expect(watchInterval({ status: 'FAILED', refunds: [] }, NOW)).toBe(false);
  });

  test('while a refund is under way: every two seconds at first, then less often', () => {
    for (const state of ['REQUESTED', 'PROCESSING', 'NEEDS_ATTENTION'] as const) {
      expect(watchInterval({ status: 'SUCCESS', refunds: [refund(state, 1)] }, NOW)).toBe(2_000);
      expect(watchInterval({ status: 'SUCCESS', refunds: [refund(state, 600)] }, NOW)).toBe(15_000);
    }
    expect(watchInterval({ status: 'SUCCESS', refunds: [refund('PROCESSING', 600), refund('REQUESTED', 0)] }, NOW)).toBe(2_000);
  });

  test('not at all once every refund has ended', () => {
    const refunds = [refund('SUCCEEDED', 0), refund('FAILED', 0)];
    expect(watchInterval({ status: 'SUCCESS', refunds }, NOW)).toBe(false);
    expect(watchInterval({ status: 'REFUNDED', refunds }, NOW)).toBe(false);
  });
});

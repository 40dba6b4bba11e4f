import { PaymentStatus } from '@switchyard/db/client';
import { expect, test } from 'vitest';
import { DISPLAY_STATUSES, displayStatus, type StatusFacts, statusOf } from './display-status.ts';

const paid: StatusFacts = { status: 'SUCCESS', refundedAmount: 0n, reversedAt: null, failureReason: null };
const failed: StatusFacts = { ...paid, status: 'FAILED' };

test.each<[string, StatusFacts, string]>([
  ['paid', paid, 'SUCCESS'],
  ['paid and refunded in part', { ...paid, refundedAmount: 1n }, 'PARTLY_REFUNDED'],
  ['paid and taken back by its gateway', { ...paid, reversedAt: new Date(0) }, 'REVERSED'],
  ['paid, refunded in part and taken back', { ...paid, refundedAmount: 1n, reversedAt: new Date(0) }, 'REVERSED'],
  ['refunded', { ...paid, status: 'REFUNDED', refundedAmount: 10n }, 'REFUNDED'],
  ['not paid in time', { ...failed, failureReason: 'session_expired' }, 'EXPIRED'],
  ['declined', { ...failed, failureReason: 'declined' }, 'FAILED'],
  ['failed for a reason that is not known', failed, 'FAILED'],
  ['waiting', { ...paid, status: 'PENDING' }, 'PENDING'],
  ['without a checkout yet', { ...paid, status: 'INITIATED' }, 'INITIATED'],
])('a payment that is %s reads so', (_what, facts, status) => {
  expect(displayStatus(facts)).toBe(status);
});

test('each status that people read is of the status that it is derived from', () => {
  for (const status of Object.values(PaymentStatus)) {
    for (const refundedAmount of [0n, 5n])
      for (const reversedAt of [null, new Date(0)])
        for (const failureReason of [null, 'declined', 'session_expired'])
          expect(statusOf(displayStatus({ status, refundedAmount, reversedAt, failureReason }))).toBe(status);
  }
  expect(new Set(DISPLAY_STATUSES.map(statusOf))).toEqual(new Set(Object.values(PaymentStatus)));
});

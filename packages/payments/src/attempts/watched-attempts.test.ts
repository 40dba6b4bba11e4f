import { expect, test } from 'vitest';
import type { AttemptRecord } from '../life-cycle/payment-record.ts';
import { watchedAttempts } from './queries.ts';

const STATES = ['STARTED', 'OPENED', 'REFUSED', 'UNKNOWN', 'PAID', 'UNPAID'] as const;

test('an attempt may bring money unless no checkout was opened, or its money is there', () => {
  const attempts = STATES.map(
    (state, position): AttemptRecord => ({
      id: state,
      paymentId: 'p',
      position,
      accountId: 'a',
      gateway: 'paystack',
      reference: state,
      state,
      duplicate: false,
      failureCode: null,
      failureMessage: null,
      transactionId: null,
      receivedAmount: null,
      receivedCurrency: null,
    }),
  );
  expect(watchedAttempts(attempts).map(({ state }) => state)).toEqual(['STARTED', 'OPENED', 'UNKNOWN', 'UNPAID']);
});

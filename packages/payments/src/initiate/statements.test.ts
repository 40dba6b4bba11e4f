import { newId } from '@switchyard/db';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AttemptResult } from '../life-cycle/payment-record.ts';
import { newAttempt, newPayment } from '../testing/new-payment.ts';
import { recordFallback, reservePayment } from './statements.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const NOW = new Date('2026-11-02T09:00:00Z');
const merchantId = newId();

/** A payment whose first gateway did not open a checkout. */
async function refused() {
  const payment = newPayment({ merchantId });
  const first = newAttempt();
  await reservePayment(database, payment, first);
  const failure = { class: 'provider_fault', code: 'connection_refused', message: 'No connection could be made.' };
  const result: AttemptResult = { attemptId: first.attemptId, state: 'REFUSED', failure, latencyMs: 3, call: null };
  const attempts = () =>
    database.prisma.attempt.findMany({ where: { merchantId, paymentId: payment.paymentId }, orderBy: { position: 'asc' } });
  return { result, attempts, fallBack: (next = newAttempt(1)) => recordFallback(database, merchantId, result, next, NOW) };
}

test('an attempt that did not open is closed and the next one recorded, in one statement', async () => {
  const { fallBack, attempts } = await refused();
  expect(await fallBack()).toBe(true);
  expect(await attempts()).toMatchObject([
    { state: 'REFUSED', failureCode: 'connection_refused' },
    { state: 'STARTED', position: 1 },
  ]);
});

test('of two processes that resume one payment, one tries the next gateway and the other gets false', async () => {
  const { fallBack, attempts } = await refused();
  const next = newAttempt(1);
  const outcomes = await Promise.all([fallBack(next), fallBack({ ...next, attemptId: newId() })]);
  expect(outcomes.toSorted()).toEqual([false, true]);
  expect(await attempts()).toHaveLength(2);
});

test('an attempt that has opened after all is not closed, and no other is begun', async () => {
  const { fallBack, attempts, result } = await refused();
  await database.prisma.attempt.update({
    where: { merchantId_id: { merchantId, id: result.attemptId } },
    data: { state: 'OPENED' },
  });
  expect(await fallBack()).toBe(false);
  expect(await attempts()).toMatchObject([{ state: 'OPENED', failureCode: null }]);
});

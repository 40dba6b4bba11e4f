import { newId } from '@switchyard/db';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reservePayment } from '../initiate/statements.ts';
import { newAttempt, newPayment } from '../testing/context.ts';
import { findAttempt, findAttemptByReference, listAttempts } from './queries.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** Payments of different merchants, each with its attempt. */
async function recorded(count: number) {
  const payments = Array.from({ length: count }, () => newPayment());
  const made = payments.map((payment) => ({ payment, attempt: newAttempt(0, payment.paymentId) }));
  await Promise.all(made.map(({ payment, attempt }) => reservePayment(database, payment, attempt)));
  return made;
}

test('attempts that are read at the same time are each their caller’s own', async () => {
  const made = await recorded(40);
  const [byId, byReference, lists] = await Promise.all([
    Promise.all(made.map(({ payment, attempt }) => findAttempt(database, payment.merchantId, attempt.attemptId))),
    Promise.all(
      made.map(({ payment, attempt }) =>
        findAttemptByReference(database, payment.merchantId, attempt.accountId, attempt.reference),
      ),
    ),
    Promise.all(made.map(({ payment }) => listAttempts(database, payment.merchantId, payment.paymentId))),
  ]);
  const expected = made.map(({ payment, attempt }) => ({
    id: attempt.attemptId,
    paymentId: payment.paymentId,
    reference: attempt.reference,
  }));
  expect(byId).toMatchObject(expected);
  expect(byReference).toMatchObject(expected);
  expect(lists).toMatchObject(expected.map((attempt) => [attempt]));
});

test('an attempt of another merchant, at another account or under no reference is not found', async () => {
  const [one] = await recorded(1);
  if (one === undefined) throw new Error('it was recorded');
  const { payment, attempt } = one;
  const { merchantId } = payment;
  const found = await Promise.all([
    findAttempt(database, merchantId, attempt.attemptId),
    findAttempt(database, newId(), attempt.attemptId),
    findAttempt(database, merchantId, newId()),
    findAttemptByReference(database, newId(), attempt.accountId, attempt.reference),
    findAttemptByReference(database, merchantId, newId(), attempt.reference),
    findAttemptByReference(database, merchantId, attempt.accountId, `${attempt.reference}x`),
  ]);
  expect(found.map((each) => each?.id ?? null)).toEqual([attempt.attemptId, null, null, null, null, null]);
  expect(await listAttempts(database, newId(), payment.paymentId)).toEqual([]);
});

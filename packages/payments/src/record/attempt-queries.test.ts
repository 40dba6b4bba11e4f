import { createTestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestPayments, type TestPayments } from '../testing/context.ts';
import { recordPayment } from '../testing/past.ts';
import { findAttempt, findAttemptByReference, listAttempts } from './attempt-queries.ts';
import { findPaymentAnswer } from './payment-answer.ts';
import { readPayment } from './statements.ts';

let context: TestPayments;
beforeAll(async () => {
  context = await openTestPayments();
});
afterAll(() => context.close());

/** A merchant with two accounts at one gateway, and a payment with an attempt at one of them. */
async function newPayment() {
  const { merchantId, accounts } = await createTestMerchant(context, { 'paystack-main': {}, 'paystack-backup': {} });
  const { paymentId } = await recordPayment(context, merchantId);
  const [attempt = expect.fail()] = await context.database.prisma.attempt.findMany({ where: { merchantId, paymentId } });
  const elsewhere = Object.values(accounts).find((accountId) => accountId !== attempt.accountId) ?? expect.fail();
  return { merchantId, paymentId, attempt, elsewhere };
}

test('look-ups at once each find their own payment and attempt', async () => {
  const { database } = context;
  const payments = [await newPayment(), await newPayment(), await newPayment()];
  const { merchantId } = payments[0] ?? expect.fail();
  const { paymentId } = await recordPayment(context, merchantId);
  const [attempt = expect.fail()] = await database.prisma.attempt.findMany({ where: { merchantId, paymentId } });
  const all = [...payments, { merchantId, paymentId, attempt }];
  const found = await Promise.all(
    all.map(async (one) => {
      const configuration = context.resources.configuration.merchant(one.merchantId) ?? expect.fail();
      const [payment, answer, attempts, byId, byReference] = await Promise.all([
        readPayment(database, one.merchantId, one.paymentId),
        findPaymentAnswer(context, { configuration, mode: 'test' }, one.paymentId, { add: () => undefined }),
        listAttempts(database, one.merchantId, one.paymentId),
        findAttempt(database, one.merchantId, one.attempt.id),
        findAttemptByReference(database, one.merchantId, one.attempt.accountId, one.attempt.reference),
      ]);
      return [payment?.paymentId, answer?.paymentId, attempts.map(({ id }) => id), byId?.id, byReference?.id];
    }),
  );
  expect(found).toEqual(all.map((one) => [one.paymentId, one.paymentId, [one.attempt.id], one.attempt.id, one.attempt.id]));
});

test('an attempt is found at its own merchant and account, by its own id and reference, and nowhere else', async () => {
  const { database } = context;
  const [own, other] = [await newPayment(), await newPayment()];
  const { accountId, reference, id } = own.attempt;
  expect(await findAttemptByReference(database, own.merchantId, accountId, reference)).toMatchObject({ id });
  expect(await findAttemptByReference(database, own.merchantId, own.elsewhere, reference)).toBeNull();
  expect(await findAttemptByReference(database, other.merchantId, accountId, reference)).toBeNull();
  expect(await findAttemptByReference(database, own.merchantId, accountId, other.attempt.reference)).toBeNull();
  // A reference of the same payment under which nothing was opened.
  expect(await findAttemptByReference(database, own.merchantId, accountId, reference.replace(/..$/, '07'))).toBeNull();
  expect(await findAttempt(database, other.merchantId, id)).toBeNull();
  expect(await listAttempts(database, other.merchantId, own.paymentId)).toEqual([]);
  expect(await readPayment(database, other.merchantId, own.paymentId)).toBeUndefined();
});

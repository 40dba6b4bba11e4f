import { createTestMerchant, type TestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestPayments, type TestPayments } from '../../testing/context.ts';
import { recordMoney } from '../../testing/past.ts';
import { dismissDuplicate, refundDuplicate } from './duplicates.ts';

const STAFF = { actor: 'staff:0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10', cause: 'staff' } as const;

let context: TestPayments;
let merchant: TestMerchant;

beforeAll(async () => {
  context = await openTestPayments();
  merchant = await createTestMerchant(context, { 'paystack-main': {} });
});
afterAll(() => context.close());

/** A second charge of a payment, at the account and transaction of its attempt. */
async function chargeAgain(amount: string) {
  const { merchantId, paymentId, attemptId, accountId, gateway, reference, transactionId } = await recordMoney(
    context,
    merchant,
    {
      amount,
      state: 'PAID',
    },
  );
  const id = context.newId();
  const times = { createdAt: context.now(), updatedAt: context.now() };
  const money = { attemptId, accountId, gateway, reference, transactionId, amount, currency: 'NGN' };
  await context.database.prisma.duplicateCharge.create({
    data: { merchantId, id, mode: 'test', paymentId, state: 'OPEN', ...times, ...money },
  });
  return { paymentId, money, key: { merchantId, duplicateChargeId: id } };
}

const chargeOf = ({ duplicateChargeId }: { duplicateChargeId: string }) =>
  context.database.prisma.duplicateCharge.findFirstOrThrow({ where: { id: duplicateChargeId } });
const refundsOf = (paymentId: string) => context.database.prisma.refund.findMany({ where: { paymentId } });

/** Another refund of the same transaction. */
async function refundBefore(paymentId: string, state: 'SUCCEEDED' | 'FAILED', amount: bigint): Promise<void> {
  const { prisma } = context.database;
  const attempt = await prisma.attempt.findFirstOrThrow({ where: { paymentId } });
  const id = context.newId();
  const { merchantId, accountId, gateway } = attempt;
  await prisma.refund.create({
    data: {
      merchantId,
      id,
      mode: 'test',
      paymentId,
      attemptId: attempt.id,
      accountId,
      gateway,
      transactionId: attempt.transactionId ?? '',
      reference: `r-${id}`,
      amount,
      currency: 'NGN',
      state,
      duplicate: true,
      requestedBy: STAFF.actor,
      createdAt: context.now(),
      updatedAt: context.now(),
    },
  });
}

test('a duplicate charge with a fraction is not refunded in part: it stays open with the way to refund it', async () => {
  const { key, paymentId } = await chargeAgain('2500.5');
  const outcome = await refundDuplicate(context, key, STAFF);
  expect(outcome).toMatchObject({ kind: 'not_whole', message: expect.stringContaining('NGN 2,500.50 is not a whole amount') });
  expect(await chargeOf(key)).toMatchObject({ state: 'OPEN', note: 'message' in outcome ? outcome.message : '' });
  expect(await refundsOf(paymentId)).toEqual([]);
});

test('only the remainder after other refunds of the transaction is refunded; a failed one leaves it whole', async () => {
  const part = await chargeAgain('2500');
  await refundBefore(part.paymentId, 'SUCCEEDED', 900n);
  await refundBefore(part.paymentId, 'FAILED', 1_600n);
  expect(await refundDuplicate(context, part.key, STAFF)).toMatchObject({ kind: 'requested', refund: { amount: 1_600n } });
  expect(await chargeOf(part.key)).toMatchObject({ state: 'REFUNDING' });
});

test('a duplicate charge that other refunds have returned whole is closed without another', async () => {
  const { key, paymentId } = await chargeAgain('2500');
  await refundBefore(paymentId, 'SUCCEEDED', 2_500n);
  expect(await refundDuplicate(context, key, STAFF)).toEqual({ kind: 'given_back' });
  expect(await chargeOf(key)).toMatchObject({ state: 'REFUNDED', resolvedBy: STAFF.actor });
  expect(await refundsOf(paymentId)).toHaveLength(1);
});

test('refunded or dismissed, it can be neither again', async () => {
  const { key, paymentId } = await chargeAgain('2500');
  await refundDuplicate(context, key, STAFF);
  expect(await refundDuplicate(context, key, STAFF)).toEqual({ kind: 'not_open', state: 'REFUNDING' });
  expect(await dismissDuplicate(context, { ...key, note: 'No.' }, STAFF)).toEqual({ kind: 'not_open', state: 'REFUNDING' });
  expect(await refundsOf(paymentId)).toHaveLength(1);

  const other = await chargeAgain('2500');
  expect(await dismissDuplicate(context, { ...other.key, note: 'Paid back in cash.' }, STAFF)).toEqual({ kind: 'dismissed' });
  expect(await refundDuplicate(context, other.key, STAFF)).toEqual({ kind: 'not_open', state: 'DISMISSED' });
  expect(await refundsOf(other.paymentId)).toEqual([]);
});

test('another merchant’s duplicate charge is not found, and nothing happens to it', async () => {
  const { key, paymentId } = await chargeAgain('2500');
  const { merchantId } = await createTestMerchant(context, { 'paystack-main': {} });
  for (const unknown of [
    { ...key, merchantId },
    { ...key, duplicateChargeId: context.newId() },
  ]) {
    expect(await refundDuplicate(context, unknown, STAFF)).toEqual({ kind: 'not_found' });
    expect(await dismissDuplicate(context, { ...unknown, note: 'No.' }, STAFF)).toEqual({ kind: 'not_found' });
  }
  expect([(await chargeOf(key)).state, await refundsOf(paymentId)]).toEqual(['OPEN', []]);
});

import { openVault } from '@switchyard/db/process';
import { createTestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describePayment } from '../lists/console/describe-payment.ts';
import { eraseCustomerOfPayments } from '../lists/customers/erase-customer.ts';
import { openTestPayments, recordPayment, type TestPayments } from '../testing/index.ts';
import { applyPaymentChange } from './apply-change.ts';
import { readPayers, sealPayer } from './attempt-queries.ts';
import { sealedPayers } from './payers.ts';

let context: TestPayments;
beforeAll(async () => {
  context = await openTestPayments();
});
afterAll(() => context.close());

const PAYER = { bank: 'A Bank', name: 'Ada Obi', accountEnd: '0190' };

/** A payment whose look-up says who paid it by transfer. */
async function paidByTransfer() {
  const { merchantId } = await createTestMerchant(context, { 'paystack-main': {} });
  const { paymentId } = await recordPayment(context, merchantId, { status: 'SUCCESS' });
  const { id: attemptId } = await context.database.prisma.attempt.findFirstOrThrow({ where: { merchantId, paymentId } });
  const { version } = await context.database.prisma.payment.findFirstOrThrow({ where: { merchantId, id: paymentId } });
  const payer = sealPayer(context.resources.vault, PAYER, { merchantId, attemptId });
  const received = { amount: '2500', currency: 'NGN', fee: null, method: 'TRANSFER', paidAt: null, transactionId: 't' };
  const attempt = { attemptId, received, payer, askedAt: context.now() };
  const change = { merchantId, paymentId, version, attempt, events: [] };
  expect(await applyPaymentChange(context.database, change, context.now())).toBe('applied');
  return { merchantId, paymentId, attemptId, change };
}

test('who paid by transfer is stored encrypted with the answer, and shown with the payment', async () => {
  const { merchantId, paymentId, attemptId, change } = await paidByTransfer();
  const [stored] = await sealedPayers.list(context.database.pool, { merchantId, id: '00000000-0000-0000-0000-000000000000' }, 1);
  expect(stored?.sealed[0]).toMatch(/^v1\./);
  expect(JSON.stringify(stored)).not.toContain('Ada');
  const found = await describePayment(context, { merchantIds: [merchantId], paymentId });
  expect(found?.attempts.map(({ payer }) => payer)).toEqual([PAYER]);
  // A change that was computed from an older version writes no payer.
  const other = sealPayer(context.resources.vault, { ...PAYER, name: 'Bisi' }, { merchantId, attemptId });
  const late = { ...change, attempt: { ...change.attempt, payer: other } };
  expect(await applyPaymentChange(context.database, late, context.now())).toBe('moved_on');
  expect((await readPayers(context.database, context.resources.vault, merchantId, [attemptId])).get(attemptId)).toEqual(PAYER);
});

test('who paid does not open under another attempt, nor with another key', async () => {
  const { merchantId, attemptId } = await paidByTransfer();
  const other = context.newId();
  await context.database.prisma.payer.update({
    where: { merchantId_attemptId: { merchantId, attemptId } },
    data: { attemptId: other },
  });
  const { vault } = context.resources;
  await expect(readPayers(context.database, vault, merchantId, [other])).rejects.toThrow('belongs to another row');
  const foreign = openVault(`other:${Buffer.alloc(32, 1).toString('base64')}`);
  await expect(readPayers(context.database, foreign, merchantId, [other])).rejects.toThrow('no encryption key');
});

test('who paid is gone once the customer is erased', async () => {
  const { merchantId, paymentId, attemptId } = await paidByTransfer();
  await context.database.prisma.$transaction((transaction) =>
    eraseCustomerOfPayments(transaction, { merchantId, paymentIds: [paymentId], identifiers: [] }, context.now()),
  );
  expect(await readPayers(context.database, context.resources.vault, merchantId, [attemptId])).toEqual(new Map());
});

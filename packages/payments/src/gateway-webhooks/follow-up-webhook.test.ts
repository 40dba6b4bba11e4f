import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readPayment } from '../initiate/statements.ts';
import { openTestPayments, type TestPayments } from '../testing/context.ts';
import { createStubbedMerchant, type GatewayStub, startGatewayStub } from '../testing/gateway-stub.ts';
import { recordPayment } from '../testing/past.ts';
import type { ClaimedWebhook } from './follow-up-queries.ts';
import { followUpWebhook } from './follow-up-webhook.ts';

let context: TestPayments;
let stub: GatewayStub;
let merchantId: string;
let accountId: string;
beforeAll(async () => {
  context = await openTestPayments();
  stub = await startGatewayStub();
  ({ merchantId, accountId } = await createStubbedMerchant(context, stub));
});
afterAll(async () => {
  stub.close();
  await context.close();
});
beforeEach(() => stub.answer({ status: 'success', paidAt: context.now() }));

/** A webhook about an open payment, and what its payment is now. */
async function aboutPayment() {
  const { paymentId } = await recordPayment(context, merchantId);
  const payment = () => readPayment(context.database, merchantId, paymentId);
  const attemptId = (await payment())?.currentAttemptId ?? '';
  const followUp = { kind: 'payment', attemptId } as const;
  const ids = { merchantId, webhookId: context.newId(), accountId };
  const webhook: ClaimedWebhook = { ...ids, reference: null, transactionId: '302961', followUp, tries: 1 };
  const setStatus = (status: 'INITIATED' | 'PENDING') =>
    context.database.prisma.payment.update({ where: { merchantId_id: { merchantId, id: paymentId } }, data: { status } });
  return { webhook, payment, setStatus };
}

test('the payment of a webhook is looked up, and the answer counts, not the webhook', async () => {
  const { webhook, payment } = await aboutPayment();
  stub.answer({ status: 'abandoned' });
  await followUpWebhook(context, webhook);
  expect(await payment()).toMatchObject({ status: 'PENDING' });
  stub.answer({ status: 'success', paidAt: context.now() });
  await followUpWebhook(context, webhook);
  expect(await payment()).toMatchObject({ status: 'SUCCESS' });
});

test('a webhook whose gateway gives no answer is followed up again', async () => {
  const { webhook, payment } = await aboutPayment();
  stub.answer('down');
  await expect(followUpWebhook(context, webhook)).rejects.toThrow('gave no answer');
  expect(await payment()).toMatchObject({ status: 'PENDING' });
});

test('a webhook that comes before its checkout is on record is followed up again, and asks nothing until then', async () => {
  const { webhook, payment, setStatus } = await aboutPayment();
  await setStatus('INITIATED');
  await expect(followUpWebhook(context, webhook)).rejects.toThrow('still being initiated');
  expect(stub.lookups).toEqual([]);
  await setStatus('PENDING');
  await followUpWebhook(context, webhook);
  expect(await payment()).toMatchObject({ status: 'SUCCESS' });
});

test('a webhook that only another version can read is left to it', async () => {
  const { webhook } = await aboutPayment();
  await expect(followUpWebhook(context, { ...webhook, followUp: null })).rejects.toThrow('cannot read');
});

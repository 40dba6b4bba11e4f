import { addEvidence, answerDispute } from '@switchyard/disputes/console';
import { readDisputes } from '@switchyard/disputes/intake';
import { sendResponse } from '@switchyard/disputes/responses';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually, findFollowedUp } from '../harness/eventually.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import type { TestMerchant } from '../harness/merchants.ts';
import { openRefundHarness, type PaidPayment, type RefundHarness } from './refund-harness.ts';

const GATEWAYS = ['paystack', 'flutterwave'] as const;
const actor = 'staff:0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10';

let harness: Harness;
let merchant: TestMerchant;
let refundHarness: RefundHarness;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
  merchant = await harness.merchant({ order: [...GATEWAYS] });
  refundHarness = openRefundHarness(harness);
});
afterEach(async () => {
  await harness.gateways.heal();
  expect(refundHarness.errors.splice(0)).toEqual([]);
});
afterAll(() => harness.close());

const dispute = ({ gateway, reference }: PaidPayment, body: object = {}) =>
  harness.gateways.amend(gateway, `transactions/${reference}/dispute`, body);
const stored = ({ paymentId }: PaidPayment) => harness.database.prisma.dispute.findMany({ where: { paymentId } });
const poll = ({ gateway }: PaidPayment) =>
  readDisputes(harness.switchyard.payments, { merchantId: merchant.merchantId, accountId: merchant.accounts[gateway] ?? '' });
const eventBody = z.object({ type: z.string(), data: z.object({ dispute: z.looseObject({ state: z.string() }).optional() }) });
const events = async ({ paymentId }: PaidPayment) =>
  (await refundHarness.events(paymentId))
    .map(({ body }) => eventBody.parse(JSON.parse(body)))
    .filter(({ type }) => type.startsWith('dispute.'))
    .map(({ type, data }) => `${type} ${data.dispute?.state}`);

/** Contests the payment's dispute with evidence, and sends it. */
async function contest(payment: PaidPayment): Promise<void> {
  const [one] = await stored(payment);
  if (one === undefined) throw new Error('the payment is disputed');
  const { payments } = harness.switchyard;
  const key = { merchantId: merchant.merchantId, disputeId: one.id };
  const content = new TextEncoder().encode('%PDF-1.7 receipt');
  const added = await addEvidence(payments, { ...key, fileName: 'receipt.pdf', content, actor });
  const answered = await answerDispute(payments, {
    ...key,
    action: 'CONTEST',
    amount: null,
    message: 'It was delivered',
    send: true,
    actor,
    customerName: 'Ada Obi',
    service: 'Shoes',
    evidenceId: added.kind === 'added' ? added.evidenceId : null,
    seen: { amount: one.amount.toFixed(), stage: one.stage },
  });
  if (answered.kind !== 'answered') throw new Error(`it was not answered: ${JSON.stringify(answered)}`);
  await sendResponse(payments, { merchantId: merchant.merchantId, responseId: answered.responseId });
}

describe.each(GATEWAYS)('a dispute at %s', (gateway) => {
  test('whose webhook is lost is found by reading the list, contested with evidence and won, and the merchant is told', async () => {
    await harness.gateways.setFault(gateway, 'no_webhook');
    const payment = await refundHarness.pay(merchant, gateway);
    await dispute(payment);
    await poll(payment);
    expect(await stored(payment)).toMatchObject([{ state: 'NEEDS_RESPONSE', dueSource: 'GATEWAY' }]);
    await contest(payment);
    await poll(payment);
    expect(await stored(payment)).toMatchObject([{ state: 'UNDER_REVIEW' }]);
    await dispute(payment, { resolution: 'declined' });
    await poll(payment);
    expect(await events(payment)).toEqual(['dispute.opened needs_response', 'dispute.closed won']);
    expect(await refundHarness.payment(payment.paymentId)).toMatchObject({ reversedAt: null });
  });

  test('that is not answered in time is expired, and its money taken back once', async () => {
    const payment = await refundHarness.pay(merchant, gateway);
    await dispute(payment, { dueAt: new Date(Date.now() - 1_000).toISOString() });
    await poll(payment);
    await poll(payment);
    expect(await stored(payment)).toMatchObject([{ state: 'EXPIRED' }]);
    expect(await events(payment)).toEqual(['dispute.closed expired']);
    const { reversedAmount, reversalCause } = await refundHarness.payment(payment.paymentId);
    expect([reversedAmount.toFixed(), reversalCause]).toEqual(['2500', 'chargeback']);
  });

  test('whose webhook comes twice is one dispute', async () => {
    await harness.gateways.setFault(gateway, 'duplicate_webhook');
    const payment = await refundHarness.pay(merchant, gateway);
    await dispute(payment);
    const where = { merchantId: merchant.merchantId, reference: payment.reference, event: 'charge.dispute.create' };
    if (gateway === 'paystack') {
      await eventually('the webhook to be followed up', async () => {
        await refundHarness.runJobs();
        return findFollowedUp(harness.database, where);
      });
    }
    await poll(payment);
    expect(await stored(payment)).toMatchObject([{ state: 'NEEDS_RESPONSE' }]);
    expect(await events(payment)).toEqual(['dispute.opened needs_response']);
  });
});

test('a webhook of Flutterwave whose form is not documented leads to its list', async () => {
  const payment = await refundHarness.pay(merchant, 'flutterwave');
  await dispute(payment);
  await eventually('the list to be asked for', async () => {
    await refundHarness.runJobs();
    const { rows } = await harness.database.pool.query(`SELECT FROM graphile_worker.jobs WHERE key = $1`, [
      `read-disputes:${merchant.accounts.flutterwave}`,
    ]);
    return rows.length === 1 ? true : null;
  });
});

test('merchants read their own disputes over REST, and none of others', async () => {
  const payment = await refundHarness.pay(merchant, 'paystack');
  await dispute(payment, { amount: 100_050 });
  await poll(payment);
  const key = merchant.testKey;
  const listed = await harness.send('node', 'GET', `/v1/disputes?paymentId=${payment.paymentId}&state=needs_response`, { key });
  expect(listed.json).toMatchObject({
    data: { disputes: [{ paymentId: payment.paymentId, amount: 1_000.5 }], nextCursor: null },
  });
  const [one] = await stored(payment);
  const path = `/v1/disputes/${one?.id}`;
  expect((await harness.send('node', 'GET', path, { key })).json).toMatchObject({ data: { disputeId: one?.id } });
  expect((await harness.send('node', 'GET', path, { key: merchant.liveKey })).status).toBe(404);
  expect((await harness.send('node', 'GET', '/v1/disputes?status=won', { key })).status).toBe(400);
});

import { createHmac } from 'node:crypto';
import { listUnanswered } from '@switchyard/payments/reversals';
import { verifyAttempt } from '@switchyard/payments/verify';
import { readVolume } from '@switchyard/reporting/figures';
import { updateRollups } from '@switchyard/reporting/rollups';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readPayment, readRecord } from '../harness/contract.ts';
import { eventually, findFollowedUp } from '../harness/eventually.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import type { TestMerchant } from '../harness/merchants.ts';
import { openRefundHarness, type PaidPayment, type RefundHarness } from './refund-harness.ts';

const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;

let harness: Harness;
let merchant: TestMerchant;
let refundHarness: RefundHarness;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
  merchant = await harness.merchant({ order: ['paystack', 'monnify'] });
  refundHarness = openRefundHarness(harness);
});
afterEach(async () => {
  await harness.gateways.heal();
  expect(refundHarness.errors.splice(0)).toEqual([]);
});
afterAll(() => harness.close());

const eventBody = z.object({ type: z.string(), data: z.looseObject({ status: z.string(), reversal: z.unknown().optional() }) });

/** The merchant's events of a payment after it succeeded. */
async function eventsAfter({ paymentId }: PaidPayment) {
  const events = await refundHarness.events(paymentId);
  return events.slice(1).map(({ body }) => eventBody.parse(JSON.parse(body)));
}

const disputes = (payment: PaidPayment) => harness.database.prisma.dispute.findMany({ where: { paymentId: payment.paymentId } });
const dispute = (payment: PaidPayment, body: object) =>
  harness.gateways.amend('paystack', `transactions/${payment.reference}/dispute`, body);
const reverse = ({ gateway, reference }: PaidPayment, body = {}) =>
  harness.gateways.amend(gateway, `transactions/${reference}/reverse`, body);

/** Runs the queued jobs until the gateway's webhook of an event about a payment is followed up. */
async function followUp(payment: PaidPayment, event: string): Promise<void> {
  await eventually(`${event} to be followed up`, async () => {
    await refundHarness.runJobs();
    const where = { merchantId: merchant.merchantId, reference: payment.reference, event };
    return findFollowedUp(harness.database, where);
  });
}

/** Looks the paid attempt up at its gateway, as reconciliation has it done. */
async function lookUp({ paymentId }: PaidPayment): Promise<void> {
  const { attempts } = await refundHarness.payment(paymentId);
  const attemptId = attempts[0]?.id ?? '';
  await verifyAttempt(harness.switchyard.payments, { merchantId: merchant.merchantId, attemptId, transactionId: null });
}

const openNow = async () => {
  const open = await harness.database.prisma.dispute.findMany({
    where: { merchantId: merchant.merchantId, mode: 'test', state: { in: ['NEEDS_RESPONSE', 'UNDER_REVIEW'] } },
  });
  return new Map(open.map((one) => [one.paymentId, { ...one, amount: one.amount.toFixed() }]));
};
const reversedNow = async () => {
  const reversed = await harness.database.prisma.payment.findMany({
    where: { merchantId: merchant.merchantId, mode: 'test', reversedAt: { not: null } },
  });
  return new Map(reversed.map((one) => [one.id, { ...one, reversedAmount: one.reversedAmount.toFixed() }]));
};
/** The dispute to answer first, as attention lists it. */
const toAnswer = async () => {
  const [first] = await listUnanswered(harness.database, [merchant.merchantId]);
  return first;
};

async function volume(changes: { asOf?: Date } = {}) {
  await updateRollups(harness.switchyard.payments);
  const [sum] = await readVolume(harness.database.pool, {
    merchantIds: [merchant.merchantId],
    mode: 'test',
    currency: 'NGN',
    from: new Date(Date.now() - DAY_MS),
    to: new Date(Date.now() + DAY_MS),
    asOf: changes.asOf ?? null,
    zone: 'Africa/Lagos',
    groupBy: [],
    gateways: [],
    accountIds: [],
    methods: [],
    statuses: [],
    ruleIds: [],
  });
  return { paidAmount: sum?.paidAmount ?? 0n, refunded: sum?.refunded ?? 0n, reversed: sum?.reversed ?? '0' };
}

describe('a customer who disputes a payment at Paystack', () => {
  test('is on the list of what needs attention at once with the due date, and changes no money', async () => {
    const payment = await refundHarness.pay(merchant, 'paystack');
    await dispute(payment, { category: 'chargeback' });
    await followUp(payment, 'charge.dispute.create');
    const open = (await openNow()).get(payment.paymentId);
    expect(open).toMatchObject({
      amount: '2500',
      currency: 'NGN',
      category: 'chargeback',
      state: 'NEEDS_RESPONSE',
      gateway: 'paystack',
    });
    expect(await toAnswer()).toMatchObject({ disputeId: open?.id, amount: '2500', dueAt: open?.dueAt });
    expect((open?.dueAt?.getTime() ?? 0) - (open?.openedAt.getTime() ?? 0)).toBe(16 * HOUR_MS);
    const opened = { disputeId: open?.id, state: 'needs_response', amount: 2_500, dueAt: open?.dueAt?.toISOString() };
    expect(await eventsAfter(payment)).toMatchObject([{ type: 'dispute.opened', data: { dispute: opened } }]);
    expect(await refundHarness.payment(payment.paymentId)).toMatchObject({ status: 'SUCCESS', reversedAt: null });
    const { timeline } = await refundHarness.payment(payment.paymentId);
    expect(timeline.at(-1)).toMatchObject({ type: 'dispute.opened', cause: 'gateway_webhook', toStatus: null });
  });

  test('and whose dispute nobody answers has the money: it is announced once, listed, counted apart from refunds, and REST keeps its statuses', async () => {
    const payment = await refundHarness.pay(merchant, 'paystack');
    const before = await volume();
    await dispute(payment, {});
    await followUp(payment, 'charge.dispute.create');
    await dispute(payment, { resolution: 'auto-accepted' });
    await followUp(payment, 'charge.dispute.resolve');
    const reversal = { amount: 2_500, currency: 'NGN', cause: 'chargeback', totalReversed: 2_500 };
    const announced = [
      { type: 'dispute.opened' },
      { type: 'dispute.closed', data: { dispute: { state: 'expired', amount: 2_500 } } },
      { type: 'payment.reversed', data: expect.objectContaining({ status: 'SUCCESS', reversal }) },
    ];
    expect(await eventsAfter(payment)).toMatchObject(announced);
    expect((await openNow()).has(payment.paymentId)).toBe(false);
    expect((await reversedNow()).get(payment.paymentId)).toMatchObject({
      reversedAmount: '2500',
      reversalCause: 'chargeback',
      currency: 'NGN',
    });
    expect(await volume()).toEqual({ ...before, reversed: String(Number(before.reversed) + 2_500) });
    expect(await volume({ asOf: new Date() })).toEqual(await volume());

    // The same reversal again, from the transaction.
    await lookUp(payment);
    expect(await eventsAfter(payment)).toMatchObject(announced);

    const key = merchant.testKey;
    const read = readPayment(await harness.send('node', 'GET', `/v1/payments/${payment.paymentId}`, { key }));
    expect(read).toMatchObject({ status: 'SUCCESS', executionStatus: 'succeeded' });
    const record = readRecord(await harness.send('node', 'POST', `/v1/payments/${payment.paymentId}/verify`, { key }));
    expect(record).toMatchObject({ type: 'payment.succeeded', data: { status: 'SUCCESS' } });

    // Money that the bank took back is not refunded as well.
    const refused = await refundHarness.postRefund(merchant, payment.paymentId);
    expect([refused.status, refused.json]).toMatchObject([409, { data: { refundableAmount: 0 } }]);
  });

  test('and gets a part takes that part back; the rest can be refunded', async () => {
    const payment = await refundHarness.pay(merchant, 'paystack');
    await dispute(payment, {});
    await dispute(payment, { resolution: 'merchant-accepted', amount: 100_050 });
    await followUp(payment, 'charge.dispute.resolve');
    expect(await eventsAfter(payment)).toMatchObject([
      { type: 'dispute.closed', data: { dispute: { state: 'accepted', amount: 1_000.5 } } },
      { type: 'payment.reversed', data: { reversal: { amount: 1_000.5, totalReversed: 1_000.5, cause: 'chargeback' } } },
    ]);
    expect(await refundHarness.request(merchant, payment.paymentId)).toMatchObject({ amount: 1_499 });
  });

  test('and loses leaves the money where it is', async () => {
    const payment = await refundHarness.pay(merchant, 'paystack');
    await dispute(payment, {});
    await dispute(payment, { resolution: 'declined' });
    await followUp(payment, 'charge.dispute.resolve');
    expect(await disputes(payment)).toMatchObject([{ state: 'WON' }]);
    expect((await openNow()).has(payment.paymentId)).toBe(false);
    expect(await eventsAfter(payment)).toMatchObject([{ type: 'dispute.closed', data: { dispute: { state: 'won' } } }]);
    expect(await refundHarness.payment(payment.paymentId)).toMatchObject({ reversedAt: null });
  });
});

describe('a webhook of a dispute', () => {
  test('that is forged changes nothing', async () => {
    const payment = await refundHarness.pay(merchant, 'paystack');
    const data = {
      id: 4_711,
      status: 'resolved',
      resolution: 'auto-accepted',
      transaction: { id: 1, reference: payment.reference },
    };
    const body = JSON.stringify({ event: 'charge.dispute.resolve', data });
    const signature = createHmac('sha512', 'not-the-secret-key').update(body).digest('hex');
    const reply = await fetch(`${harness.publicUrl}/webhooks/paystack/${merchant.accounts.paystack}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-paystack-signature': signature },
      body,
    });
    expect(reply.status).toBe(401);
    await refundHarness.runJobs();
    expect([await disputes(payment), await eventsAfter(payment)]).toEqual([[], []]);
  });

  test('that is signed, and says what the gateway does not confirm, changes nothing', async () => {
    const payment = await refundHarness.pay(merchant, 'paystack');
    const data = {
      id: 4_712,
      status: 'resolved',
      resolution: 'auto-accepted',
      transaction: { id: 1, reference: payment.reference },
    };
    const body = JSON.stringify({ event: 'charge.dispute.resolve', data });
    const signature = createHmac('sha512', merchant.gatewayKeys.paystack.secretKey ?? '')
      .update(body)
      .digest('hex');
    const reply = await fetch(`${harness.publicUrl}/webhooks/paystack/${merchant.accounts.paystack}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-paystack-signature': signature },
      body,
    });
    expect(reply.status).toBe(200);
    await followUp(payment, 'charge.dispute.resolve');
    expect([await disputes(payment), await eventsAfter(payment)]).toEqual([[], []]);
  });
});

describe.each(['paystack', 'monnify'] as const)('a paid transaction that %s calls reversed', (gateway) => {
  test('is announced once when it is looked up, and again when the money comes back', async () => {
    const payment = await refundHarness.pay(merchant, gateway);
    await reverse(payment);
    await lookUp(payment);
    await lookUp(payment);
    const reversal = { amount: 2_500, currency: 'NGN', cause: 'gateway', totalReversed: 2_500 };
    expect(await eventsAfter(payment)).toMatchObject([{ type: 'payment.reversed', data: { reversal } }]);
    expect((await reversedNow()).get(payment.paymentId)).toMatchObject({ reversalCause: 'gateway', accountGateway: gateway });
    await reverse(payment, { undo: true });
    await lookUp(payment);
    expect((await eventsAfter(payment)).slice(1)).toMatchObject([
      { type: 'payment.reinstated', data: { reversal: { ...reversal, totalReversed: 0 } } },
    ]);
    expect((await reversedNow()).has(payment.paymentId)).toBe(false);
    expect(await refundHarness.payment(payment.paymentId)).toMatchObject({
      status: 'SUCCESS',
      reversedAt: null,
      reversalCause: null,
    });
  });
});

test('a transaction that our own refund reversed at Paystack is no reversal, before and after the refund has ended here', async () => {
  const payment = await refundHarness.pay(merchant, 'paystack');
  const { refundId } = await refundHarness.request(merchant, payment.paymentId);
  await refundHarness.runJobs();
  await refundHarness.end(payment, 'processed');
  await lookUp(payment);
  await refundHarness.follow();
  await lookUp(payment);
  expect(await refundHarness.refund(refundId)).toMatchObject({ state: 'SUCCEEDED' });
  expect(await refundHarness.payment(payment.paymentId)).toMatchObject({ status: 'REFUNDED', reversedAt: null });
  expect((await eventsAfter(payment)).map(({ type }) => type)).toEqual(['refund.succeeded', 'payment.refunded']);
});

test('a refund that Paystack refuses because it took the money back itself shows the reversal', async () => {
  const payment = await refundHarness.pay(merchant, 'paystack');
  await reverse(payment);
  const { refundId } = await refundHarness.request(merchant, payment.paymentId);
  await refundHarness.runJobs();
  expect(await refundHarness.refund(refundId)).toMatchObject({ state: 'FAILED' });
  await refundHarness.runJobs();
  expect((await eventsAfter(payment)).map(({ type }) => type)).toEqual(['refund.failed', 'payment.reversed']);
});

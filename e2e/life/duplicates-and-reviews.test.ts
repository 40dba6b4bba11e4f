import { dismissDuplicate, refundDuplicate } from '@switchyard/payments/refunds';
import { resolveReview } from '@switchyard/payments/reviews';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PAIR, type PairName } from '../harness/gateways.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import type { TestMerchant } from '../harness/merchants.ts';
import { openRefundHarness, type RefundHarness } from './refund-harness.ts';

const STAFF = { actor: 'staff:0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10', cause: 'staff' } as const;

let harness: Harness;
let merchant: TestMerchant;
let generous: TestMerchant;
let refundHarness: RefundHarness;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
  merchant = await harness.merchant();
  generous = await harness.merchant();
  await harness.database.prisma.merchant.updateMany({ where: { id: generous.merchantId }, data: { refundDuplicates: true } });
  await harness.database.prisma.configurationRevision.updateMany({
    where: { merchantId: generous.merchantId },
    data: { revision: { increment: 1 } },
  });
  await harness.switchyard.resources.configuration.refresh();
  refundHarness = openRefundHarness(harness);
});
afterEach(async () => {
  await harness.gateways.heal();
  expect(refundHarness.errors.splice(0)).toEqual([]);
});
afterAll(() => harness.close());

const chargesOf = (paymentId: string) => harness.database.prisma.duplicateCharge.findMany({ where: { paymentId } });
const context = () => harness.switchyard.payments;
const auditOf = (objectId: string) => harness.database.prisma.auditEntry.findMany({ where: { objectId } });

/** A payment paid at one gateway, and then at the one that was given up for silence before. */
async function payTwice(of: TestMerchant) {
  await harness.gateways.setFault('paystack', 'broken_json');
  const body = {
    merchantOrderId: `twice-${context().newId()}`,
    amount: 2_500,
    currency: 'NGN',
    customer: { email: 'ada@example.com' },
    paymentMethod: 'card',
  };
  const reply = await harness.send('node', 'POST', '/v1/payments/initiate', { key: of.testKey, body });
  await harness.gateways.heal();
  const { paymentId } = reply.json && typeof reply.json === 'object' ? Reflect.get(reply.json, 'data') : { paymentId: '' };
  const { attempts } = await refundHarness.payment(paymentId);
  expect(attempts.map(({ gateway }) => gateway)).toEqual(['paystack', 'flutterwave']);
  for (const { gateway, reference } of attempts) await harness.gateways.settle(asGateway(gateway), reference, 'success');
  await harness.send('node', 'POST', `/v1/payments/${paymentId}/verify`, { key: of.testKey });
  await refundHarness.sweep();
  const [charge, ...more] = await chargesOf(paymentId);
  if (charge === undefined || more.length > 0) throw new Error(`there are ${more.length + 1} duplicate charges`);
  const payment = { paymentId, gateway: asGateway(charge.gateway), reference: charge.reference };
  return { payment, charge, key: { merchantId: of.merchantId, duplicateChargeId: charge.id } };
}

function asGateway(name: string): PairName {
  const gateway = PAIR.find((known) => known === name);
  if (gateway === undefined) throw new Error(`there is no gateway ${name}`);
  return gateway;
}

describe('money charged a second time', () => {
  test('goes back by itself where the merchant has set so, once, and the payment stays paid', async () => {
    const { payment, charge } = await payTwice(generous);
    await refundHarness.runJobs();
    await refundHarness.runJobs();
    expect((await chargesOf(payment.paymentId))[0]).toMatchObject({ state: 'REFUNDING' });
    await refundHarness.end(payment, 'processed').catch(() => undefined);
    await refundHarness.follow();
    expect((await chargesOf(payment.paymentId))[0]).toMatchObject({ state: 'REFUNDED', resolvedBy: 'system:duplicates' });
    expect(await refundHarness.gatewayRefunds(payment)).toHaveLength(1);
    const row = await refundHarness.payment(payment.paymentId);
    expect(row).toMatchObject({ status: 'SUCCESS', refundedAmount: 0n });
    expect((await refundHarness.events(payment.paymentId)).map(({ type }) => type)).toEqual([
      'payment.succeeded',
      'payment.duplicate_charge',
      'refund.succeeded',
    ]);
    expect(await refundDuplicate(context(), { merchantId: generous.merchantId, duplicateChargeId: charge.id })).toMatchObject({
      kind: 'not_open',
    });
    // Its own money can still be refunded, all of it.
    expect(await refundHarness.request(generous, payment.paymentId)).toMatchObject({ amount: 2_500 });
  });

  test('waits for staff elsewhere; of ten who click at once one gives it back, and the audit names who', async () => {
    const { payment, key, charge } = await payTwice(merchant);
    await refundHarness.runJobs();
    expect((await chargesOf(payment.paymentId))[0]).toMatchObject({ state: 'OPEN' });
    const clicks = await Promise.all(Array.from({ length: 10 }, () => refundDuplicate(context(), key, STAFF)));
    expect(clicks.filter(({ kind }) => kind === 'requested')).toHaveLength(1);
    expect(clicks.filter(({ kind }) => kind === 'not_open')).toHaveLength(9);
    await refundHarness.runJobs();
    expect(await refundHarness.gatewayRefunds(payment)).toHaveLength(1);
    const [refund] = await harness.database.prisma.refund.findMany({ where: { paymentId: payment.paymentId } });
    expect(refund).toMatchObject({ duplicate: true, transactionId: charge.transactionId, requestedBy: STAFF.actor });
    expect(await auditOf(refund?.id ?? '')).toMatchObject([{ action: 'refund.requested', actor: STAFF.actor }]);
  });

  test('is open again when its refund failed', async () => {
    const { payment, key } = await payTwice(merchant);
    await refundDuplicate(context(), key, STAFF);
    await harness.gateways
      .amend(payment.gateway, `transactions/${payment.reference}/alter`, { paid: false })
      .catch(() => undefined);
    await refundHarness.runJobs();
    await refundHarness.end(payment, 'failed').catch(() => undefined);
    await refundHarness.follow();
    expect((await chargesOf(payment.paymentId))[0]).toMatchObject({ state: 'OPEN', resolvedAt: null });
    expect((await refundHarness.events(payment.paymentId)).map(({ type }) => type)).toContain('refund.failed');
    expect(await refundDuplicate(context(), key, STAFF)).toMatchObject({ kind: 'requested' });
  });

  test('is dismissed with a note, which the timeline and the audit keep, and is then not refunded', async () => {
    const { payment, key, charge } = await payTwice(merchant);
    const note = 'Given back in cash at the till.';
    expect(await dismissDuplicate(context(), { ...key, note }, STAFF)).toEqual({ kind: 'dismissed' });
    expect((await chargesOf(payment.paymentId))[0]).toMatchObject({ state: 'DISMISSED', note, resolvedBy: STAFF.actor });
    expect((await refundHarness.payment(payment.paymentId)).timeline.at(-1)).toMatchObject({
      type: 'duplicate_charge.dismissed',
      actor: STAFF.actor,
    });
    expect(await auditOf(charge.id)).toHaveLength(1);
    expect(await refundDuplicate(context(), key, STAFF)).toEqual({ kind: 'not_open', state: 'DISMISSED' });
  });
});

describe.each(PAIR)('a payment under review at %s', (gateway) => {
  const underReview = async (amount: number) => {
    const payment = await refundHarness.initiate(merchant, gateway);
    await harness.gateways.settle(gateway, payment.reference, 'success', gateway === 'paystack' ? amount * 100 : amount);
    await harness.send('node', 'POST', `/v1/payments/${payment.paymentId}/verify`, { key: merchant.testKey });
    expect(await refundHarness.payment(payment.paymentId)).toMatchObject({ status: 'PENDING', review: 'OPEN' });
    const { attempts } = await refundHarness.payment(payment.paymentId);
    const attemptIds = attempts.map(({ id }) => id);
    const review = { merchantId: merchant.merchantId, paymentId: payment.paymentId, note: 'Customer agrees' };
    const [attemptId = ''] = attemptIds;
    const refund = { ...review, by: 'refund', attemptId, amount: BigInt(Math.floor(amount)) } as const;
    return { ...payment, refund, close: { ...review, by: 'close', attemptIds } as const };
  };

  test('refunds what was received, also more than the order’s amount, then is closed and failed: never a success', async () => {
    const { refund, ...payment } = await underReview(3_000);
    const resolved = await resolveReview(context(), refund, STAFF);
    expect(resolved).toMatchObject({ kind: 'requested', refund: { amount: 3_000n, mismatched: true }, remainder: '0' });
    expect(await resolveReview(context(), refund, STAFF)).toEqual({ kind: 'nothing_left' });
    await refundHarness.runJobs();
    expect(await refundHarness.payment(payment.paymentId)).toMatchObject({ status: 'PENDING', review: 'OPEN' });
    await refundHarness.end(payment, 'processed').catch(() => undefined);
    await refundHarness.follow();
    expect(await refundHarness.payment(payment.paymentId)).toMatchObject({
      status: 'FAILED',
      failureReason: 'review_refunded',
      review: 'RESOLVED',
      refundedAmount: 0n,
    });
    expect((await refundHarness.events(payment.paymentId)).map(({ type }) => type)).toEqual([
      'payment.requires_review',
      'refund.succeeded',
      'payment.failed',
    ]);
    await refundHarness.sweep();
    expect(await refundHarness.payment(payment.paymentId)).toMatchObject({ status: 'FAILED', review: 'RESOLVED' });
    expect(await refundHarness.gatewayRefunds(payment)).toHaveLength(1);
  });

  test('refunds whole naira and returns the remainder', async () => {
    const { refund } = await underReview(2_400.5);
    expect(await resolveReview(context(), refund, STAFF)).toMatchObject({
      kind: 'requested',
      refund: { amount: 2_400n },
      remainder: '0.5',
    });
  });

  test('is closed as it is with a note, which the audit keeps', async () => {
    const { close, paymentId } = await underReview(2_000);
    expect(await resolveReview(context(), close, STAFF)).toEqual({ kind: 'closed' });
    expect(await refundHarness.payment(paymentId)).toMatchObject({
      status: 'FAILED',
      failureReason: 'review_closed',
      review: 'RESOLVED',
    });
    expect(await auditOf(paymentId)).toMatchObject([{ action: 'payment.review_closed', actor: STAFF.actor }]);
    expect(await resolveReview(context(), close, STAFF)).toEqual({ kind: 'not_open' });
  });

  test('stays open when the refund failed', async () => {
    const { refund, ...payment } = await underReview(2_000);
    await resolveReview(context(), refund, STAFF);
    await refundHarness.runJobs();
    await refundHarness.end(payment, 'failed').catch(() => undefined);
    await refundHarness.follow();
    expect(await refundHarness.payment(payment.paymentId)).toMatchObject({ status: 'PENDING', review: 'OPEN' });
    expect(await resolveReview(context(), refund, STAFF)).toMatchObject({ kind: 'requested' });
  });
});

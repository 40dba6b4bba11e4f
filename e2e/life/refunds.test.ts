import { randomUUID } from 'node:crypto';
import { requestRefund } from '@switchyard/payments/refunds';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readFailure } from '../harness/contract.ts';
import { PAIR } from '../harness/gateways.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import type { TestMerchant } from '../harness/merchants.ts';
import { openRefundHarness, type RefundHarness } from './refund-harness.ts';

const MINUTE_MS = 60_000;

let harness: Harness;
let merchant: TestMerchant;
let refundHarness: RefundHarness;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
  merchant = await harness.merchant();
  refundHarness = openRefundHarness(harness);
});
afterEach(async () => {
  await harness.gateways.heal();
  expect(refundHarness.errors.splice(0)).toEqual([]);
});
afterAll(() => harness.close());

const later = (ms: number) => new Date(Date.now() + ms);

describe.each(PAIR)('at %s', (gateway) => {
  test('a refund of all makes the payment REFUNDED once the gateway is done, and its merchant gets one event', async () => {
    const payment = await refundHarness.pay(merchant, gateway);
    const asked = await refundHarness.request(merchant, payment.paymentId);
    expect(asked).toMatchObject({ amount: 2_500, status: 'PENDING', reason: null });
    expect(await refundHarness.gatewayRefunds(payment)).toEqual([]);
    await refundHarness.runJobs();
    expect((await refundHarness.payment(payment.paymentId)).status).toBe('SUCCESS');
    expect(await refundHarness.gatewayRefunds(payment)).toHaveLength(1);

    await refundHarness.end(payment, 'processed');
    await refundHarness.follow();
    const row = await refundHarness.payment(payment.paymentId);
    expect(row).toMatchObject({ status: 'REFUNDED', refundedAmount: 2_500n });
    expect(row.timeline.slice(-3).map(({ type }) => type)).toEqual(['refund.requested', 'refund.succeeded', 'payment.refunded']);
    const events = await refundHarness.events(payment.paymentId);
    expect(events.map(({ type }) => type)).toEqual(['payment.succeeded', 'refund.succeeded', 'payment.refunded']);
    expect(events.map(({ body }) => JSON.parse(body).data.status)).toEqual(['SUCCESS', 'REFUNDED', 'REFUNDED']);
    const verified = await harness.send('node', 'POST', `/v1/payments/${payment.paymentId}/verify`, { key: merchant.testKey });
    expect(verified.json).toMatchObject({ data: JSON.parse(events[2]?.body ?? '') });
    expect(await refundHarness.read(merchant, asked)).toMatchObject({ status: 'SUCCESS', failureReason: null });
  });

  test('parts leave it SUCCESS until they add up', async () => {
    const payment = await refundHarness.pay(merchant, gateway);
    for (const amount of [1_000, 700, 800]) {
      await refundHarness.request(merchant, payment.paymentId, { amount, reason: 'Item out of stock' });
      await refundHarness.runJobs();
      await refundHarness.end(payment, 'processed');
      await refundHarness.follow();
      const { status, refundedAmount } = await refundHarness.payment(payment.paymentId);
      expect(status).toBe(refundedAmount === 2_500n ? 'REFUNDED' : 'SUCCESS');
    }
    const row = await refundHarness.payment(payment.paymentId);
    expect(row.refundedAmount).toBe(2_500n);
    const events = await refundHarness.events(payment.paymentId);
    expect(events.map(({ type }) => type)).toEqual([
      'payment.succeeded',
      'refund.succeeded',
      'refund.succeeded',
      'refund.succeeded',
      'payment.refunded',
    ]);
    // Each has the id of its own step of the timeline, and the payment's status at that time.
    expect(events.map(({ id }) => id)).toEqual(
      row.timeline.filter(({ type }) => events.some((event) => event.type === type)).map(({ id }) => id),
    );
    expect(events.map(({ body }) => JSON.parse(body).data.status)).toEqual([
      'SUCCESS',
      'SUCCESS',
      'SUCCESS',
      'REFUNDED',
      'REFUNDED',
    ]);
    const sum = (await refundHarness.gatewayRefunds(payment)).reduce((total, { amount }) => total + amount, 0);
    expect(sum).toBe(gateway === 'paystack' ? 250_000 : 2_500);
  });

  test('a refund that fails is reported, and its amount can be refunded again', async () => {
    const payment = await refundHarness.pay(merchant, gateway);
    const asked = await refundHarness.request(merchant, payment.paymentId);
    await refundHarness.runJobs();
    await refundHarness.end(payment, 'failed');
    await refundHarness.follow();
    expect(await refundHarness.read(merchant, asked)).toMatchObject({
      status: 'FAILED',
      failureReason: expect.stringContaining('failed'),
    });
    expect((await refundHarness.payment(payment.paymentId)).status).toBe('SUCCESS');
    expect((await refundHarness.events(payment.paymentId)).map(({ type }) => type)).toContain('refund.failed');
    expect(await refundHarness.request(merchant, payment.paymentId)).toMatchObject({ amount: 2_500, status: 'PENDING' });
  });

  test('a failed one needs no action once all the money is refunded, in whatever parts', async () => {
    const payment = await refundHarness.pay(merchant, gateway);
    const { refundId } = await refundHarness.request(merchant, payment.paymentId, { amount: 1_500 });
    await refundHarness.runJobs();
    await refundHarness.end(payment, 'failed');
    await refundHarness.follow();
    for (const amount of [900, 900, 700]) {
      expect(await refundHarness.refund(refundId)).toMatchObject({ state: 'FAILED', resolvedAt: null });
      await refundHarness.request(merchant, payment.paymentId, { amount });
      await refundHarness.runJobs();
      await refundHarness.end(payment, 'processed');
      await refundHarness.follow();
    }
    expect((await refundHarness.payment(payment.paymentId)).status).toBe('REFUNDED');
    expect(await refundHarness.refund(refundId)).toMatchObject({
      state: 'FAILED',
      resolvedBy: 'api',
      resolvedAt: expect.any(Date),
    });
  });

  test.each(['broken_json', 'timeout_after_create'] as const)(
    'after %s a refund is looked up in the gateway’s list: one refund, however often we look',
    async (fault) => {
      const payment = await refundHarness.pay(merchant, gateway);
      const asked = await refundHarness.request(merchant, payment.paymentId, { amount: 900 });
      await harness.gateways.setFault(gateway, fault, 50);
      await refundHarness.runJobs();
      expect(await refundHarness.refund(asked.refundId)).toMatchObject({ state: 'PROCESSING', sendCount: 1 });
      await harness.gateways.heal();
      for (const minutes of [0, 11, 30]) await refundHarness.follow(later(minutes * MINUTE_MS));
      await refundHarness.end(payment, 'processed').catch(() => undefined);
      await refundHarness.follow(later(40 * MINUTE_MS));
      expect(await refundHarness.refund(asked.refundId)).toMatchObject({ state: 'SUCCEEDED', sendCount: 1 });
      expect(await refundHarness.gatewayRefunds(payment)).toHaveLength(1);
    },
  );

  test('a refund the gateway never received is requested again, once it can no longer arrive and its list proves it', async () => {
    const payment = await refundHarness.pay(merchant, gateway);
    const asked = await refundHarness.request(merchant, payment.paymentId);
    await harness.gateways.setFault(gateway, 'http_500');
    await refundHarness.runJobs();
    expect(await refundHarness.refund(asked.refundId)).toMatchObject({ state: 'PROCESSING', sendCount: 1 });
    // Its list cannot be read: nothing is proved.
    await refundHarness.follow(later(20 * MINUTE_MS));
    expect(await refundHarness.refund(asked.refundId)).toMatchObject({ state: 'PROCESSING', sendCount: 1 });
    await harness.gateways.heal();
    // It could still arrive.
    await refundHarness.follow(later(5 * MINUTE_MS));
    expect(await refundHarness.refund(asked.refundId)).toMatchObject({ state: 'PROCESSING', sendCount: 1 });
    expect(await refundHarness.gatewayRefunds(payment)).toEqual([]);
    await refundHarness.follow(later(11 * MINUTE_MS));
    expect(await refundHarness.refund(asked.refundId)).toMatchObject({ state: 'REQUESTED', sentAt: null });
    await refundHarness.follow(later(12 * MINUTE_MS));
    expect(await refundHarness.gatewayRefunds(payment)).toHaveLength(1);
  });

  test('a refund that was taken for lost and arrived after all is not FAILED because the gateway refuses to refund it twice', async () => {
    const payment = await refundHarness.pay(merchant, gateway);
    const { refundId } = await refundHarness.request(merchant, payment.paymentId);
    await harness.gateways.setFault(gateway, 'timeout_after_create', 50);
    await refundHarness.runJobs();
    await harness.gateways.heal();
    // As after a look-up that came before the request did.
    const lost = { state: 'REQUESTED', gatewayRefundId: null, sentAt: null, nextCheckAt: new Date() } as const;
    await harness.database.prisma.refund.updateMany({ where: { id: refundId }, data: lost });
    await refundHarness.follow();
    expect(await refundHarness.refund(refundId)).toMatchObject({ sendCount: 2, gatewayRefundId: expect.any(String) });
    await refundHarness.end(payment, 'processed');
    await refundHarness.follow(later(20 * MINUTE_MS));
    expect(await refundHarness.refund(refundId)).toMatchObject({ state: 'SUCCEEDED' });
    expect(await refundHarness.gatewayRefunds(payment)).toHaveLength(1);
    expect((await refundHarness.events(payment.paymentId)).map(({ type }) => type)).not.toContain('refund.failed');
  });

  test('a refund that is refused when it is sent again, and that the gateway does not list, is FAILED', async () => {
    const payment = await refundHarness.pay(merchant, gateway);
    const { refundId } = await refundHarness.request(merchant, payment.paymentId);
    await harness.database.prisma.refund.updateMany({ where: { id: refundId }, data: { sendCount: 1, amount: 999_999n } });
    await refundHarness.runJobs();
    expect(await refundHarness.refund(refundId)).toMatchObject({ state: 'FAILED', sendCount: 2 });
    expect(await refundHarness.gatewayRefunds(payment)).toEqual([]);
  });

  test('a gateway that cannot be reached is called later, and no refund is requested twice', async () => {
    const payment = await refundHarness.pay(merchant, gateway);
    const asked = await refundHarness.request(merchant, payment.paymentId);
    await harness.gateways.setFault(gateway, 'down');
    await refundHarness.runJobs();
    expect(await refundHarness.refund(asked.refundId)).toMatchObject({ state: 'REQUESTED' });
    await harness.gateways.heal();
    await refundHarness.follow(later(MINUTE_MS));
    await refundHarness.follow(later(MINUTE_MS));
    expect(await refundHarness.gatewayRefunds(payment)).toHaveLength(1);
  });

  test('a process that dies between the record and the call, or between the call and the record, makes no second refund', async () => {
    const unsent = await refundHarness.pay(merchant, gateway);
    const sent = await refundHarness.pay(merchant, gateway);
    const asIfBeingSent = (refundId: string) =>
      harness.database.prisma.refund.updateMany({
        where: { id: refundId },
        data: { state: 'PROCESSING', gatewayRefundId: null, sentAt: new Date(), sendCount: 1 },
      });
    const first = await refundHarness.request(merchant, unsent.paymentId);
    await asIfBeingSent(first.refundId);
    const second = await refundHarness.request(merchant, sent.paymentId);
    await refundHarness.runJobs();
    await asIfBeingSent(second.refundId);
    expect(
      [await refundHarness.gatewayRefunds(unsent), await refundHarness.gatewayRefunds(sent)].map(({ length }) => length),
    ).toEqual([0, 1]);
    for (const minutes of [0, 11, 12, 13]) await refundHarness.follow(later(minutes * MINUTE_MS));
    for (const payment of [unsent, sent]) expect(await refundHarness.gatewayRefunds(payment)).toHaveLength(1);
    for (const { refundId } of [first, second]) expect((await refundHarness.refund(refundId)).gatewayRefundId).not.toBeNull();
  });

  test('the gateway’s webhook is enough: no look-up is needed', async () => {
    if (gateway === 'flutterwave') await harness.gateways.register(gateway, { ...keys(), refundWebhooks: true });
    const payment = await refundHarness.pay(merchant, gateway);
    const asked = await refundHarness.request(merchant, payment.paymentId);
    await refundHarness.runJobs();
    await refundHarness.end(payment, 'processed');
    await expect
      .poll(async () => {
        await refundHarness.runJobs();
        return (await refundHarness.refund(asked.refundId)).state;
      })
      .toBe('SUCCEEDED');
  });

  function keys() {
    const webhookUrl = `${harness.publicUrl}/webhooks/${gateway}/${merchant.accounts[gateway]}`;
    return { ...merchant.gatewayKeys[gateway], webhookUrl };
  }
});

test('of 20 concurrent requests for 500 of 2,500, five succeed, and the others are refused because nothing is left', async () => {
  const { paymentId } = await refundHarness.pay(merchant, 'paystack');
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => refundHarness.postRefund(merchant, paymentId, { amount: 500 })),
  );
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(5);
  const refused = replies.filter(({ status }) => status === 409);
  expect(refused).toHaveLength(15);
  for (const reply of refused) expect(readFailure(reply).data?.refundableAmount).toBeLessThan(500);
  const rows = await harness.database.prisma.refund.findMany({ where: { paymentId } });
  expect(rows.reduce((sum, { amount }) => sum + amount, 0n)).toBe(2_500n);
});

test('of 20 concurrent requests for the full amount on two processes, one succeeds', async () => {
  const beside = await harness.startWebProcess({});
  const { paymentId } = await refundHarness.pay(merchant, 'flutterwave');
  const ask = (context = harness.switchyard.payments) =>
    requestRefund(context, {
      refundId: context.newId(),
      merchantId: merchant.merchantId,
      mode: 'test',
      paymentId,
      amount: 'full',
      reason: null,
      actor: 'api',
      cause: 'api',
    });
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, racer) => ask(racer % 2 === 0 ? harness.switchyard.payments : beside.switchyard.payments)),
  );
  expect(outcomes.filter(({ kind }) => kind === 'requested')).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome.kind === 'too_much' && outcome.refundable === 0n)).toHaveLength(19);
});

test('a job that is run many times at once calls the gateway once', async () => {
  const payment = await refundHarness.pay(merchant, 'paystack');
  await refundHarness.request(merchant, payment.paymentId, { amount: 100 });
  await Promise.all([refundHarness.runJobs(), refundHarness.follow(), refundHarness.runJobs(), refundHarness.follow()]);
  await refundHarness.follow();
  expect(await refundHarness.gatewayRefunds(payment)).toHaveLength(1);
});

test('under one Idempotency-Key 20 times at once, one refund is made', async () => {
  const { paymentId } = await refundHarness.pay(merchant, 'paystack');
  const headers = { 'idempotency-key': randomUUID() };
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => refundHarness.postRefund(merchant, paymentId, { amount: 100 }, headers)),
  );
  expect(replies.some(({ status }) => status === 200)).toBe(true);
  expect(await harness.database.prisma.refund.count({ where: { paymentId } })).toBe(1);
  const again = await refundHarness.postRefund(merchant, paymentId, { amount: 100 }, headers);
  expect(again.text).toBe(replies.find(({ status }) => status === 200)?.text);
  expect((await refundHarness.postRefund(merchant, paymentId, { amount: 101 }, headers)).status).toBe(422);
});

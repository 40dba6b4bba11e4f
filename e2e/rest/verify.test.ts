import { randomUUID } from 'node:crypto';
import { wholeTimeline } from '@switchyard/payments/timeline';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { order, type Payment, readPayment, readRecord } from '../harness/contract.ts';
import { endSession } from '../harness/database-proxy.ts';
import { type Fault, otherThan, PAIR, unitsPerNaira } from '../harness/gateways.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import type { TestMerchant } from '../harness/merchants.ts';
import { MOUNTS } from '../harness/mounts.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
});
afterEach(() => harness.gateways.heal());
afterAll(() => harness.close());

const AMOUNT = 2_500;

const rowOf = (paymentId: string) =>
  harness.database.prisma.payment.findFirstOrThrow({
    where: { id: paymentId },
    include: { attempts: true, timeline: { orderBy: { id: 'asc' } } },
  });

describe.each(MOUNTS)('through the %s mount', (mount) => {
  describe.each(PAIR)('a payment at %s', (gateway) => {
    let merchant: TestMerchant;
    beforeAll(async () => {
      merchant = await harness.merchant({ order: [gateway, otherThan(gateway)] });
    });

    const initiate = async (): Promise<Payment & { reference: string }> => {
      const reply = await harness.send(mount, 'POST', '/v1/payments/initiate', { key: merchant.testKey, body: order() });
      const payment = readPayment(reply);
      expect(payment.recommendedGateway.name).toBe(gateway);
      return { ...payment, reference: payment.recommendedGateway.session?.reference ?? '' };
    };
    const verify = async (paymentId: string, body?: object) =>
      readRecord(await harness.send(mount, 'POST', `/v1/payments/${paymentId}/verify`, { key: merchant.testKey, body }));
    const settle = (reference: string, outcome: 'success' | 'failed' | 'abandoned', naira?: number) =>
      harness.gateways.settle(gateway, reference, outcome, naira === undefined ? undefined : naira * unitsPerNaira(gateway));

    test('stays pending under one record id until it is paid', async () => {
      const { paymentId, reference } = await initiate();
      const first = await verify(paymentId);
      await settle(reference, 'abandoned');
      const second = await verify(paymentId);
      expect(first).toMatchObject({ type: 'payment.pending', data: { status: 'PENDING', executionStatus: 'processing' } });
      expect(second).toEqual(first);
    });

    test('succeeds once for ever: each verify answers the record of that change, which the timeline has too', async () => {
      const { paymentId, reference } = await initiate();
      const pending = await verify(paymentId);
      await settle(reference, 'success');
      const records = await Promise.all(Array.from({ length: 10 }, () => verify(paymentId)));
      for (const record of records) expect(record).toEqual(records[0]);
      expect(records[0]).toMatchObject({ type: 'payment.succeeded', data: { status: 'SUCCESS', gatewayReference: reference } });
      expect(records[0]?.id).not.toBe(pending.id);
      const { timeline: stored, attempts, receivedAmount, late } = await rowOf(paymentId);
      // The first two are stored by a process that does not know yet that they need not be.
      const timeline = stored.filter(({ fromStatus, toStatus }) => fromStatus !== null && toStatus !== 'PENDING');
      expect(timeline.map(({ type, toStatus }) => [type, toStatus])).toEqual([['payment.succeeded', 'SUCCESS']]);
      expect(attempts[0]?.id).toBe(pending.id);
      expect(timeline[0]).toMatchObject({ id: records[0]?.id, cause: 'api' });
      expect(timeline[0]?.createdAt.toISOString()).toBe(records[0]?.createdAt);
      expect([receivedAmount?.toString(), late]).toEqual([String(AMOUNT), false]);
    });

    test('which has succeeded is answered without asking the gateway', async () => {
      const { paymentId, reference } = await initiate();
      await settle(reference, 'success');
      const record = await verify(paymentId);
      await harness.gateways.setFault(gateway, 'down');
      const reply = await harness.send(mount, 'POST', `/v1/payments/${paymentId}/verify`, { key: merchant.testKey });
      expect(readRecord(reply)).toEqual(record);
      expect(reply.json).toMatchObject({ message: 'Payment has already succeeded' });
    });

    test('stays pending after a declined try, which the customer may follow by one that pays', async () => {
      const { paymentId, reference } = await initiate();
      await settle(reference, 'failed');
      expect(await verify(paymentId)).toMatchObject({ type: 'payment.pending', data: { status: 'PENDING' } });
      await settle(reference, 'success');
      expect(await verify(paymentId)).toMatchObject({ type: 'payment.succeeded', data: { status: 'SUCCESS' } });
      expect((await rowOf(paymentId)).late).toBe(false);
    });

    test('fails when its last try was declined and its session has ended, and succeeds late when the money arrives after all', async () => {
      const { paymentId, reference } = await initiate();
      await settle(reference, 'failed');
      await endSession(harness.database, paymentId);
      const failed = await verify(paymentId);
      expect(failed).toMatchObject({ type: 'payment.failed', data: { status: 'FAILED', executionStatus: 'failed' } });
      expect(await verify(paymentId)).toEqual(failed);
      await settle(reference, 'success');
      const late = await verify(paymentId);
      expect(late).toMatchObject({ type: 'payment.succeeded', data: { status: 'SUCCESS', gatewayReference: reference } });
      expect(late.id).not.toBe(failed.id);
      const row = await rowOf(paymentId);
      expect(row.late).toBe(true);
      expect(wholeTimeline([row], row.attempts, row.timeline).at(-1)).toMatchObject({
        id: late.id,
        fromStatus: 'FAILED',
        detail: expect.objectContaining({ late: true }),
      });
    });

    test.each([
      ['underpaid', 2_250],
      ['overpaid', 2_750],
    ] as const)('that is %s stays pending, flagged for review with both amounts', async (fault, received) => {
      const { paymentId, reference } = await initiate();
      await harness.gateways.setFault(gateway, fault);
      await settle(reference, 'success');
      await harness.gateways.heal();
      for (let round = 0; round < 2; round++) {
        expect(await verify(paymentId)).toMatchObject({ type: 'payment.pending', data: { status: 'PENDING', amount: AMOUNT } });
      }
      const row = await rowOf(paymentId);
      expect(row).toMatchObject({
        status: 'PENDING',
        review: 'OPEN',
        reviewReason: `Expected NGN 2,500.00, received NGN ${received.toLocaleString('en', { minimumFractionDigits: 2 })}.`,
        receivedCurrency: 'NGN',
      });
      expect(row.receivedAmount?.toString()).toBe(String(received));
      expect(row.timeline.filter(({ type }) => type === 'payment.requires_review')).toHaveLength(1);
    });

    test.each([1, 2_499, 2_501, 25, 250_000])('for which %i arrive is no success', async (naira) => {
      const { paymentId, reference } = await initiate();
      await settle(reference, 'success', naira);
      expect((await verify(paymentId)).data.status).toBe('PENDING');
      expect((await rowOf(paymentId)).review).toBe('OPEN');
    });

    test.each<Fault>(['down', 'http_500', 'html_502', 'broken_json', 'huge_body', 'invalid_key', 'rate_limited'])(
      'is what it was while the gateway is %s',
      async (fault) => {
        const { paymentId, reference } = await initiate();
        const before = await verify(paymentId);
        await settle(reference, 'success');
        await harness.gateways.setFault(gateway, fault);
        expect(await verify(paymentId)).toEqual(before);
        await harness.gateways.heal();
        expect((await verify(paymentId)).type).toBe('payment.succeeded');
      },
    );

    test("another payment's transactionId is no use", async () => {
      const paid = await initiate();
      const unpaid = await initiate();
      await settle(paid.reference, 'success');
      const { transactions } = await harness.gateways.journal(gateway, paid.reference);
      const transactionId = String(transactions[0]?.transactionId);
      for (const hint of [transactionId, paid.reference, paid.paymentId, '1', '../transaction/verify', '%00', randomUUID()]) {
        expect((await verify(unpaid.paymentId, { transactionId: hint })).data.status, hint).toBe('PENDING');
      }
      expect((await verify(paid.paymentId, { transactionId })).data).toMatchObject({ status: 'SUCCESS' });
      expect((await rowOf(unpaid.paymentId)).review).toBeNull();
    });

    test("a wrong transactionId does not keep the payment's own success from being found", async () => {
      const other = await initiate();
      const paid = await initiate();
      await settle(other.reference, 'success');
      await settle(paid.reference, 'success');
      const { transactions } = await harness.gateways.journal(gateway, other.reference);
      const record = await verify(paid.paymentId, { transactionId: String(transactions[0]?.transactionId) });
      expect(record.data).toMatchObject({ status: 'SUCCESS', gatewayReference: paid.reference });
    });
  });

  test('one merchant cannot have the payment of another verified', async () => {
    const body = order();
    const reply = await harness.send(mount, 'POST', '/v1/payments/initiate', { key: harness.first.testKey, body });
    const { paymentId, recommendedGateway } = readPayment(reply);
    await harness.gateways.settle('paystack', recommendedGateway.session?.reference ?? '', 'success');
    const path = `/v1/payments/${paymentId}/verify`;
    expect((await harness.send(mount, 'POST', path, { key: harness.second.testKey })).status).toBe(404);
    expect((await rowOf(paymentId)).status).toBe('PENDING');
  });
});

test('every payment has moved along the published moves only, its version rising', async () => {
  const allowed = new Set(['INITIATED→PENDING', 'INITIATED→FAILED', 'PENDING→SUCCESS', 'PENDING→FAILED', 'FAILED→SUCCESS']);
  const payments = await harness.database.prisma.payment.findMany({
    include: {
      attempts: { where: { openedAt: { not: null } } },
      timeline: { where: { fromStatus: { not: null } }, orderBy: { id: 'asc' } },
    },
  });
  expect(payments.length).toBeGreaterThan(40 * MOUNTS.length);
  for (const payment of payments) {
    // The first event may be the payment itself, and the second its attempt.
    const [opened] = payment.attempts;
    let status: string | null = opened === undefined ? 'INITIATED' : 'PENDING';
    for (const { fromStatus, toStatus } of payment.timeline) {
      expect(fromStatus).toBe(status);
      expect(allowed).toContain(`${status}→${toStatus}`);
      status = toStatus;
    }
    expect(status).toBe(payment.status);
    expect(payment.statusEventId).toBe(payment.timeline.at(-1)?.id ?? opened?.id ?? payment.id);
    expect(payment.version).toBeGreaterThan(payment.timeline.length);
  }
});

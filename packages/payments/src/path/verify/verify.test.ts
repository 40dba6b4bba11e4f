import { newId, UnavailableError } from '@switchyard/db';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listAttempts } from '../../record/attempt-queries.ts';
import { fetchGatewayResult } from '../../record/fetch-gateway-result.ts';
import type { Timings } from '../../record/order.ts';
import type { PaymentRecord } from '../../record/payment-record.ts';
import { attemptReference } from '../../record/plan.ts';
import { readPayment } from '../../record/statements.ts';
import { requestRefund } from '../../refunds/request-refund.ts';
import { resolveReview } from '../../refunds/reviews/resolve-review.ts';
import { openTestPayments, type TestPayments, withAccounts } from '../../testing/context.ts';
import { createStubbedMerchant, type GatewayStub, startGatewayStub } from '../../testing/gateway-stub.ts';
import { recordPaidPayment, recordPayment } from '../../testing/past.ts';
import { verifyAttempt, verifyAttempts, verifyNow } from './verify.ts';

const untimed: Timings = { add: () => {} };

let context: TestPayments;
let stub: GatewayStub;
let merchantId: string;
beforeAll(async () => {
  context = await openTestPayments();
  stub = await startGatewayStub();
  ({ merchantId } = await createStubbedMerchant(context, stub));
});
afterAll(async () => {
  stub.close();
  await context.close();
});
beforeEach(() => stub.answer({ status: 'abandoned' }));

/** A payment whose checkout is open, as it was read. */
async function openPayment(): Promise<PaymentRecord> {
  const { paymentId } = await recordPayment(context, merchantId);
  return read(paymentId);
}

async function read(paymentId: string): Promise<PaymentRecord> {
  const payment = await readPayment(context.database, merchantId, paymentId);
  if (payment === undefined) throw new Error('it was recorded');
  return payment;
}

const verify = (payment: PaymentRecord, timings = untimed) =>
  verifyAttempts(context, payment, { transactionId: null, cause: 'api' }, timings);
const timelineOf = ({ paymentId }: PaymentRecord) =>
  context.database.prisma.timelineEvent.findMany({ where: { paymentId }, orderBy: { id: 'asc' } });
const attemptsOf = ({ paymentId }: PaymentRecord) => context.database.prisma.attempt.findMany({ where: { paymentId } });

describe('verifying an open payment', () => {
  test('that the gateway reports as paid makes it a success, with the money it reports and the reason for the look-up', async () => {
    const payment = await openPayment();
    stub.answer({ status: 'success', paidAt: context.now() });
    expect(await verify(payment)).toMatchObject({ lookups: 1, answered: true, payment: { status: 'SUCCESS', version: 3 } });
    expect(await attemptsOf(payment)).toMatchObject([{ state: 'PAID', transactionId: '302961', receivedCurrency: 'NGN' }]);
    expect((await timelineOf(payment)).at(-1)).toMatchObject({ type: 'payment.succeeded', cause: 'api', fromStatus: 'PENDING' });
    expect(await context.database.prisma.merchantEvent.count({ where: { paymentId: payment.paymentId } })).toBe(1);
  });

  test('several times at once calls the gateway once and counts the money once', async () => {
    const payment = await openPayment();
    stub.answer({ status: 'success', paidAt: context.now() });
    let ready = 0;
    const release = stub.hold();
    // Each reads the attempts before it looks one up.
    const all = Promise.all(Array.from({ length: 8 }, () => verify(payment, { add: () => void ready++ })));
    await expect.poll(() => [ready, stub.lookups.length]).toEqual([8, 1]);
    release();
    const verified = await all;
    expect(verified.map((one) => one.payment.status)).toEqual(Array.from({ length: 8 }, () => 'SUCCESS'));
    expect(stub.lookups).toHaveLength(1);
    expect((await timelineOf(payment)).filter(({ type }) => type === 'payment.succeeded')).toHaveLength(1);
  });

  test('at once with others, or with another attempt of its own, asks for each and gives each its own answer', async () => {
    const [payment, other] = [await openPayment(), await openPayment()];
    const row = await context.database.prisma.attempt.findFirstOrThrow({ where: { paymentId: payment.paymentId } });
    const second = { position: 1, reference: attemptReference(payment.paymentId, 1), state: 'UNKNOWN', openedAt: null } as const;
    const { packedCall: _, ...columns } = row;
    await context.database.prisma.attempt.create({ data: { ...columns, ...second, id: context.newId() } });
    const attempts = await listAttempts(context.database, merchantId, payment.paymentId);
    const [first = expect.fail(), next = expect.fail()] = attempts;
    const [third = expect.fail()] = await listAttempts(context.database, merchantId, other.paymentId);
    const about = { payment, cause: 'api', transactionId: null, timeoutMs: 10_000 } as const;
    const all = await Promise.all(
      [
        { ...about, attempt: first },
        { ...about, attempt: first },
        { ...about, attempt: first, transactionId: '7' },
        { ...about, attempt: next },
        { ...about, payment: other, attempt: third },
      ].map((lookup) => fetchGatewayResult(context, lookup, untimed)),
    );
    const asked = [first, first, next, third].map(({ reference }) => reference);
    expect(stub.lookups.toSorted()).toEqual(asked.toSorted());
    const { paymentId } = payment;
    expect(all.map((one) => one.payment.paymentId)).toEqual([...Array(4).fill(paymentId), other.paymentId]);
  });

  test('by two processes at once counts the money once', async () => {
    const payment = await openPayment();
    const other = await context.beside();
    stub.answer({ status: 'success', paidAt: context.now() });
    const attempt = { transactionId: null, cause: 'api' } as const;
    await Promise.all([verify(payment), verifyAttempts(other, payment, attempt, untimed)]);
    expect((await timelineOf(payment)).filter(({ type }) => type === 'payment.succeeded')).toHaveLength(1);
    expect(await context.database.prisma.duplicateCharge.count({ where: { paymentId: payment.paymentId } })).toBe(0);
    expect(await read(payment.paymentId)).toMatchObject({ status: 'SUCCESS', version: 3 });
  });

  test('whose money was refunded on review stays unpaid when the gateway has the money again', async () => {
    const payment = await openPayment();
    stub.answer({ status: 'reversed', paidAt: context.now() });
    expect(await verify(payment)).toMatchObject({ payment: { status: 'PENDING', review: 'OPEN' } });
    const [attempt] = await attemptsOf(payment);
    const key = { merchantId, paymentId: payment.paymentId };
    const money = { by: 'refund', attemptId: attempt?.id ?? '', amount: payment.amount } as const;
    const resolved = await resolveReview(
      context,
      { ...key, note: 'Sent back.', ...money },
      { actor: 'staff:ada', cause: 'staff' },
    );
    expect(resolved.kind).toBe('requested');
    stub.answer({ status: 'success', paidAt: context.now() });
    expect(await verify(await read(payment.paymentId))).toMatchObject({ answered: true, payment: { status: 'PENDING' } });
    expect(await attemptsOf(payment)).toMatchObject([{ state: 'OPENED' }]);
    expect((await timelineOf(payment)).map(({ type }) => type)).not.toContain('payment.succeeded');
    // Once the gateway has refused that refund, the money is there and pays.
    await context.database.prisma.refund.updateMany({ where: key, data: { state: 'FAILED' } });
    expect(await verify(await read(payment.paymentId))).toMatchObject({ payment: { status: 'SUCCESS' } });
  });

  test('whose account this process cannot use claims nothing, and changes nothing', async () => {
    const payment = await openPayment();
    const unusable = withAccounts(context, () => {
      throw new UnavailableError('its credentials do not open');
    });
    const options = { transactionId: null, cause: 'api' } as const;
    const { lookups } = stub;
    await expect(verifyAttempts(unusable, payment, options, untimed)).rejects.toThrow(UnavailableError);
    const command = { merchantIds: [merchantId], paymentId: payment.paymentId, actor: 'staff:ada' };
    await expect(verifyNow(unusable, command, untimed)).rejects.toThrow(UnavailableError);
    expect([await read(payment.paymentId), stub.lookups]).toEqual([payment, lookups]);
  });

  test('whose gateway gives no answer changes nothing', async () => {
    const payment = await openPayment();
    stub.answer('down');
    expect(await verify(payment)).toMatchObject({ lookups: 1, answered: false, payment: { status: 'PENDING' } });
    expect(await read(payment.paymentId)).toEqual(payment);
  });

  test('that is not paid yet changes nothing, and is an answer', async () => {
    const payment = await openPayment();
    expect(await verify(payment)).toMatchObject({ lookups: 1, answered: true, payment: { status: 'PENDING' } });
    expect(await read(payment.paymentId)).toEqual(payment);
  });

  test('whose amount differs is left for a person, and asking again records nothing more', async () => {
    const payment = await openPayment();
    stub.answer({ status: 'success', amount: 249_999, paidAt: context.now() });
    expect(await verify(payment)).toMatchObject({ payment: { status: 'PENDING', review: 'OPEN' } });
    const before = await timelineOf(payment);
    await verify(await read(payment.paymentId));
    expect(await timelineOf(payment)).toEqual(before);
  });

  test('whose gateway declined it fails, and becomes a late success when money follows', async () => {
    const payment = await openPayment();
    stub.answer({ status: 'failed' });
    expect(await verify(payment)).toMatchObject({ payment: { status: 'FAILED' } });
    stub.answer({ status: 'success', paidAt: context.now() });
    const failed = await read(payment.paymentId);
    expect(await verify(failed)).toMatchObject({ lookups: 1, payment: { status: 'SUCCESS', late: true } });
  });

  test('of which no checkout is known to be open asks about those that may be', async () => {
    const { paymentId } = await openPayment();
    const { prisma } = context.database;
    await prisma.payment.update({ where: { merchantId_id: { merchantId, id: paymentId } }, data: { currentAttemptId: null } });
    await prisma.attempt.updateMany({ where: { merchantId, paymentId }, data: { state: 'UNKNOWN' } });
    stub.answer({ status: 'success', paidAt: context.now() });
    const payment = await read(paymentId);
    expect(await verify(payment)).toMatchObject({ lookups: 1, answered: true, payment: { status: 'SUCCESS' } });
    expect(await attemptsOf(payment)).toMatchObject([{ state: 'PAID' }]);
  });

  test('answers with what another look-up has recorded since the payment was read', async () => {
    const payment = await openPayment();
    stub.answer({ status: 'success', paidAt: context.now() });
    await verify(payment);
    stub.answer({ status: 'abandoned' });
    expect(await verify(payment)).toMatchObject({ lookups: 1, payment: { status: 'SUCCESS', version: 3 } });
  });

  test('that is settled calls no gateway', async () => {
    const { paymentId } = await recordPayment(context, merchantId, { status: 'SUCCESS' });
    expect(await verify(await read(paymentId))).toMatchObject({ lookups: 0, payment: { status: 'SUCCESS' } });
    expect(stub.lookups).toEqual([]);
  });
});

describe('an attempt that another look-up changed after it was read', () => {
  /** Looks up the attempt as it was before a look-up of another process, with the payment as it is after that. */
  async function lookUpTwice() {
    const before = await openPayment();
    const [attempt] = await listAttempts(context.database, merchantId, before.paymentId);
    if (attempt === undefined) throw new Error('it was recorded');
    await verify(before);
    const payment = await read(before.paymentId);
    const timeline = await timelineOf(payment);
    const lookup = { payment, attempt, transactionId: null, cause: 'schedule', timeoutMs: 10_000 } as const;
    await fetchGatewayResult(context, lookup, untimed);
    return { payment, timeline, after: { payment: await read(payment.paymentId), timeline: await timelineOf(payment) } };
  }

  test('brings the same money to review once', async () => {
    stub.answer({ status: 'success', amount: 249_999, paidAt: context.now() });
    const { after, ...once } = await lookUpTwice();
    expect(once.payment).toMatchObject({ status: 'PENDING', review: 'OPEN' });
    expect(after).toEqual(once);
  });

  test('becomes unpaid once', async () => {
    stub.answer({ status: 'failed' });
    const { after, ...once } = await lookUpTwice();
    expect(once.payment).toMatchObject({ status: 'FAILED' });
    expect(after).toEqual(once);
  });
});

test('a look-up of one attempt applies the answer, and is repeated without one, and while its payment is initiated', async () => {
  const payment = await openPayment();
  const about = { merchantId, attemptId: payment.currentAttemptId ?? '', transactionId: null };
  const { prisma } = context.database;
  const where = { merchantId_id: { merchantId, id: payment.paymentId } };
  stub.answer('down');
  await expect(verifyAttempt(context, about)).rejects.toThrow('gave no answer');
  stub.answer({ status: 'success', paidAt: context.now() });
  await prisma.payment.update({ where, data: { status: 'INITIATED' } });
  await expect(verifyAttempt(context, about)).rejects.toThrow('still being initiated');
  await prisma.payment.update({ where, data: { status: 'PENDING' } });
  await verifyAttempt(context, about);
  expect(await read(payment.paymentId)).toMatchObject({ status: 'SUCCESS' });
});

test('what a gateway took back of a payment is what our own refunds have left of it', async () => {
  const { paymentId } = await recordPaidPayment(context, merchantId);
  const [attempt] = await context.database.prisma.attempt.findMany({ where: { paymentId } });
  const refund = { refundId: context.newId(), merchantId, mode: null, paymentId, amount: 1_000n, reason: null } as const;
  await requestRefund(context, { ...refund, actor: 'merchant', cause: 'api' });
  stub.answer({ status: 'reversed', paidAt: context.now() });
  await verifyAttempt(context, { merchantId, attemptId: attempt?.id ?? '', transactionId: null });
  expect(await read(paymentId)).toMatchObject({ status: 'SUCCESS', reversal: { amount: '1500', cause: 'gateway' } });
});

describe('what a look-up shows of its account', () => {
  /** Counts of this process of the stubbed gateway since it was asked last. */
  async function counted() {
    await context.health.tick();
    const rows = await context.database.prisma.healthBucket.findMany({ where: { merchantId, method: '*' } });
    await context.database.prisma.healthBucket.deleteMany({ where: { merchantId } });
    const sum = (name: 'succeeded' | 'faulted' | 'lookupsAnswered' | 'lookupsFailed' | 'paid' | 'unpaid') =>
      rows.reduce((total, row) => total + row[name], 0);
    return {
      openings: [sum('succeeded'), sum('faulted')],
      lookups: [sum('lookupsAnswered'), sum('lookupsFailed')],
      ended: [sum('paid'), sum('unpaid')],
    };
  }

  test('is that it answers, or does not: no checkout was opened there', async () => {
    await counted();
    await verify(await openPayment());
    expect(await counted()).toEqual({ openings: [0, 0], lookups: [1, 0], ended: [0, 0] });
    stub.answer('down');
    await verify(await openPayment());
    expect(await counted()).toEqual({ openings: [0, 0], lookups: [0, 1], ended: [0, 0] });
  });

  test('is how the payment ended, paid or unpaid, once', async () => {
    await counted();
    stub.answer({ status: 'failed' });
    const failed = await openPayment();
    await verify(failed);
    expect((await counted()).ended).toEqual([0, 1]);
    stub.answer({ status: 'success', paidAt: context.now() });
    await verify(await openPayment());
    expect((await counted()).ended).toEqual([1, 0]);
    await verify(failed);
    await verify(failed);
    expect((await counted()).ended).toEqual([1, 0]);
  });

  test('is that a webhook was missed where the schedule finds the payment paid, and not where anything else does', async () => {
    const paidAt = new Date(context.now().getTime() - 120_000);
    const missed: string[] = [];
    const watching: TestPayments = {
      ...context,
      webhookArrivals: {
        ...context.webhookArrivals,
        async missed({ accountId }) {
          missed.push(accountId);
        },
      },
    };
    stub.answer({ status: 'success', paidAt });
    for (const cause of ['api', 'gateway_webhook', 'schedule'] as const) {
      const payment = await openPayment();
      expect(missed).toEqual([]);
      await verifyAttempts(watching, payment, { transactionId: null, cause }, untimed);
    }
    expect(missed).toHaveLength(1);
    stub.answer({ status: 'success', paidAt: new Date(context.now().getTime() - 59_999) });
    await verifyAttempts(watching, await openPayment(), { transactionId: null, cause: 'schedule' }, untimed);
    expect(missed).toHaveLength(1);
  });
});

describe('a staff user’s request to verify', () => {
  const actor = 'staff:01a20438-0000-7000-8000-000000000000';

  test('reports the status before and after, and is in the audit log', async () => {
    const { paymentId } = await openPayment();
    stub.answer({ status: 'success', paidAt: context.now() });
    const outcome = await verifyNow(context, { merchantIds: [merchantId], paymentId, actor }, untimed);
    expect(outcome).toEqual({ kind: 'verified', before: 'PENDING', after: 'SUCCESS', answered: true, underReview: false });
    const [entry] = await context.database.prisma.auditEntry.findMany({ where: { objectId: paymentId } });
    expect(entry).toMatchObject({ action: 'payment.verified', actor, tenantId: merchantId });
  });

  test('of a settled payment calls no gateway; of another merchant’s, or of none, finds nothing', async () => {
    const { paymentId } = await recordPayment(context, merchantId, { status: 'SUCCESS' });
    const request = (merchantIds: string[], id: string) => verifyNow(context, { merchantIds, paymentId: id, actor }, untimed);
    expect(await request([merchantId], paymentId)).toEqual({ kind: 'settled', status: 'SUCCESS' });
    expect(await request([newId()], paymentId)).toEqual({ kind: 'not_found' });
    expect(await request([merchantId], 'no-id')).toEqual({ kind: 'not_found' });
    expect(stub.lookups).toEqual([]);
  });
});

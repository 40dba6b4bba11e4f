import type { PaymentStatus, Prisma, Refund } from '@switchyard/db/client';
import { createTestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestPayments, type TestPayments } from '../testing/context.ts';
import { PAID_TRANSACTION, recordPaidPayment } from '../testing/past.ts';
import { settleRefund } from './settle-refund.ts';

let context: TestPayments;
beforeAll(async () => {
  context = await openTestPayments();
});
afterAll(() => context.close());

let merchantId: string;
let paymentId: string;
beforeEach(async () => {
  ({ merchantId } = await createTestMerchant(context, { 'paystack-main': {} }));
  ({ paymentId } = await recordPaidPayment(context, merchantId));
});

/** A refund that its gateway has accepted. */
async function refund(changes: Partial<Prisma.RefundUncheckedCreateInput> = {}): Promise<Refund> {
  const { id: attemptId, accountId } = await context.database.prisma.attempt.findFirstOrThrow({
    where: { merchantId, paymentId },
  });
  const id = context.newId();
  return context.database.prisma.refund.create({
    data: {
      merchantId,
      id,
      mode: 'test',
      paymentId,
      attemptId,
      accountId,
      gateway: 'paystack',
      transactionId: PAID_TRANSACTION,
      amount: 2_500n,
      currency: 'NGN',
      state: 'PROCESSING',
      reference: `rf-${id}`,
      requestedBy: 'merchant',
      sentAt: context.now(),
      sendCount: 1,
      createdAt: context.now(),
      updatedAt: context.now(),
      ...changes,
    },
  });
}

const end = (of: Refund, state: 'SUCCEEDED' | 'FAILED' | 'NEEDS_ATTENTION') =>
  settleRefund(context, of, { kind: 'reported', state, gatewayRefundId: '1', message: 'So it is.' }, 'schedule');
const payment = () =>
  context.database.prisma.payment.findUniqueOrThrow({ where: { merchantId_id: { merchantId, id: paymentId } } });
const change = (data: Prisma.PaymentUpdateInput) =>
  context.database.prisma.payment.update({ where: { merchantId_id: { merchantId, id: paymentId } }, data });
const timeline = async () => {
  const events = await context.database.prisma.timelineEvent.findMany({
    where: { merchantId, paymentId },
    orderBy: { id: 'asc' },
  });
  return events.map(({ type }) => type).filter((type) => !/^payment\.(initiated|pending|succeeded|created)/.test(type));
};
/** Look-ups of attempts that wait to be made. */
const checks = async () => {
  const { rows } = await context.database.pool.query<{ attemptId: string }>(
    `SELECT payload->>'attemptId' AS "attemptId" FROM graphile_worker._private_jobs AS job
     JOIN graphile_worker._private_tasks AS task ON task.id = job.task_id
     WHERE task.identifier = 'check-attempt' AND payload->>'merchantId' = $1`,
    [merchantId],
  );
  return rows.map(({ attemptId }) => attemptId);
};

describe('a refund of the payment that', () => {
  test('succeeded adds to what went back, and ends the payment once that is all of it', async () => {
    await end(await refund({ amount: 1_000n }), 'SUCCEEDED');
    expect(await payment()).toMatchObject({ status: 'SUCCESS', refundedAmount: 1_000n });
    await end(await refund({ amount: 1_500n }), 'SUCCEEDED');
    expect(await payment()).toMatchObject({ status: 'REFUNDED', refundedAmount: 2_500n });
    expect(await timeline()).toEqual(['refund.succeeded', 'refund.succeeded', 'payment.refunded']);
  });

  test('returned all of the payment resolves those that failed before, in the name of who asked for it', async () => {
    const failed = await refund({ state: 'FAILED' });
    await end(await refund({ amount: 1_000n }), 'SUCCEEDED');
    const now = async () =>
      context.database.prisma.refund.findUniqueOrThrow({ where: { merchantId_id: { merchantId, id: failed.id } } });
    expect(await now()).toMatchObject({ resolvedAt: null });
    await end(await refund({ amount: 1_500n, requestedBy: 'staff:ada' }), 'SUCCEEDED');
    expect(await now()).toMatchObject({ state: 'FAILED', resolvedBy: 'staff:ada', resolvedAt: context.now() });
  });

  test('failed moves no money, and has the gateway asked what became of the transaction', async () => {
    const own = await refund();
    await end(own, 'FAILED');
    expect(await payment()).toMatchObject({ status: 'SUCCESS', refundedAmount: 0n });
    expect([await timeline(), await checks()]).toEqual([['refund.failed'], [own.attemptId]]);
  });

  test('needs attention moves no money, and is told once', async () => {
    const own = await refund();
    await end(own, 'NEEDS_ATTENTION');
    await end(own, 'NEEDS_ATTENTION');
    expect(await payment()).toMatchObject({ status: 'SUCCESS', refundedAmount: 0n });
    expect([await timeline(), await checks()]).toEqual([['refund.needs_attention'], []]);
  });
});

describe('a refund of money that did not match', () => {
  test.each<[PaymentStatus, PaymentStatus, string | null, readonly string[]]>([
    ['PENDING', 'FAILED', 'review_refunded', ['payment.failed']],
    ['SUCCESS', 'SUCCESS', null, []],
  ])('closes the review of a payment that is %s, which is %s then', async (before, status, failureReason, told) => {
    await change({ status: before, review: 'OPEN', reviewReason: 'Another amount came.' });
    await end(await refund({ mismatched: true }), 'SUCCEEDED');
    expect(await payment()).toMatchObject({ status, failureReason, review: 'RESOLVED', refundedAmount: 0n });
    expect(await timeline()).toEqual(['refund.succeeded', 'payment.review_resolved', ...told]);
  });

  test('leaves the review open when it fails, and asks nothing', async () => {
    await change({ status: 'PENDING', review: 'OPEN', reviewReason: 'Another amount came.' });
    await end(await refund({ mismatched: true }), 'FAILED');
    expect(await payment()).toMatchObject({ status: 'PENDING', review: 'OPEN' });
    expect([await timeline(), await checks()]).toEqual([['refund.failed'], []]);
  });
});

test.each([
  ['FAILED', 'OPEN', null],
  ['SUCCEEDED', 'REFUNDED', 'staff:ada'],
  ['NEEDS_ATTENTION', 'REFUNDING', null],
] as const)('a refund of a second charge that is %s leaves it %s', async (ended, state, resolvedBy) => {
  const own = await refund({ duplicate: true, requestedBy: 'staff:ada' });
  const { attemptId, accountId, id: refundId } = own;
  const times = { createdAt: context.now(), updatedAt: context.now() };
  const money = { gateway: 'paystack', reference: 'r', transactionId: PAID_TRANSACTION, amount: '2500', currency: 'NGN' };
  const row = { merchantId, id: context.newId(), mode: 'test', paymentId, attemptId, accountId, refundId } as const;
  await context.database.prisma.duplicateCharge.create({ data: { ...row, ...money, ...times, state: 'REFUNDING' } });
  await end(own, ended);
  const where = { merchantId_id: { merchantId, id: row.id } };
  expect(await context.database.prisma.duplicateCharge.findUniqueOrThrow({ where })).toMatchObject({ state, resolvedBy });
});

test('a refund of a second charge changes nothing of its payment', async () => {
  await end(await refund({ duplicate: true }), 'SUCCEEDED');
  expect(await payment()).toMatchObject({ status: 'SUCCESS', refundedAmount: 0n });
  expect(await timeline()).toEqual(['refund.succeeded']);
});

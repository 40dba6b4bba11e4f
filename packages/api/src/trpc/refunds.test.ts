import type { RefundState, StaffRole } from '@switchyard/db/client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createTestMerchant,
  type DashboardMerchant,
  openTestDashboard,
  sessionOf,
  type TestDashboard,
} from '../testing/dashboard.ts';
import { recordPayment } from '../testing/switchyard.ts';
import { createCallerFactory } from './procedure.ts';
import { appRouter } from './router.ts';

const REFUSAL = 'Paystack refused: Your balance is not enough to fulfil this request';

let dashboard: TestDashboard;
let mine: DashboardMerchant;
let theirs: DashboardMerchant;
beforeAll(async () => {
  dashboard = await openTestDashboard();
  theirs = await createTestMerchant(dashboard);
});
afterAll(() => dashboard.close());
beforeEach(async () => {
  mine = await createTestMerchant(dashboard);
});

const as = (role: StaffRole, merchantId = mine.merchantId) =>
  createCallerFactory(appRouter)({ switchyard: dashboard.switchyard, session: sessionOf(role, merchantId) });

let orders = 0;
/** A payment of 2,500 naira that was paid at Paystack. */
async function paid({
  merchantId,
  paystack: accountId,
}: DashboardMerchant = mine): Promise<{ merchantId: string; paymentId: string }> {
  orders += 1;
  const paymentId = await recordPayment(dashboard.switchyard, merchantId, `order-${orders}`);
  const { prisma } = dashboard.database;
  const now = new Date();
  await prisma.attempt.create({
    data: {
      merchantId,
      id: dashboard.switchyard.payments.newId(),
      paymentId,
      position: 0,
      accountId,
      gateway: 'paystack',
      reference: `sy-${paymentId}`,
      state: 'PAID',
      transactionId: String(4_000_000_000 + orders),
      receivedAmount: 2_500,
      receivedCurrency: 'NGN',
      createdAt: now,
      updatedAt: now,
    },
  });
  await prisma.payment.updateMany({ where: { id: paymentId }, data: { status: 'SUCCESS', receivedAmount: 2_500, paidAt: now } });
  return { merchantId, paymentId };
}

/** A refund requested by a staff user, in the state that the gateway reported. */
async function refunded(
  payment: { merchantId: string; paymentId: string },
  amount: bigint,
  state: RefundState,
  changes: { duplicate?: boolean } = {},
): Promise<string> {
  const refundId = dashboard.switchyard.payments.newId();
  const requested = await as('finance', payment.merchantId).refunds.request({ ...payment, refundId, amount, reason: null });
  expect(requested.kind).toBe('requested');
  const failureMessage = state === 'FAILED' || state === 'NEEDS_ATTENTION' ? REFUSAL : null;
  await dashboard.database.prisma.refund.updateMany({ where: { id: refundId }, data: { state, failureMessage, ...changes } });
  return refundId;
}

/** Findings of the caller. */
const attention = async ({ merchantId }: { merchantId: string } = mine) =>
  (await as('viewer', merchantId).attention.list({ mode: 'test' })).items;
/** The sum of the refunds that need attention, and how many there are: `1,500 (1)`; null for none. */
const stuck = async (merchant?: { merchantId: string }) => {
  const found = (await attention(merchant)).find(({ kind }) => kind === 'refund_stuck');
  return found?.figures[0]?.value ?? null;
};

describe('a refund that failed', () => {
  test('needs attention: how much was not returned, why, and what to do about it', async () => {
    const payment = await paid();
    await refunded(payment, 1_500n, 'FAILED');
    expect(await attention()).toMatchObject([
      {
        kind: 'refund_stuck',
        title: '1 refund is stuck',
        why: expect.stringMatching(/^1 refund has not returned the money: NGN 1,500.00, the oldest of .+\.$/),
        action: { path: '/refunds', query: { state: 'FAILED,NEEDS_ATTENTION' }, needs: 'payment:refund' },
        since: expect.any(Date),
      },
    ]);
    const listed = await as('viewer').refunds.list({ mode: 'test', states: ['FAILED', 'NEEDS_ATTENTION'] });
    expect(listed.items).toMatchObject([{ ...payment, amount: 1_500n, failureMessage: REFUSAL, unresolved: true }]);
    expect((await as('viewer').payments.byId(payment)).refunds).toMatchObject([{ state: 'FAILED', unresolved: true }]);
    expect(await attention(theirs)).toEqual([]);
  });

  test('needs no attention once the same amount is refunded again, but still does after less', async () => {
    const payment = await paid();
    const failed = await refunded(payment, 1_500n, 'FAILED');
    await refunded(payment, 500n, 'SUCCEEDED');
    expect(await stuck()).toBe('1,500.00 (1)');
    const again = await refunded(payment, 1_500n, 'PROCESSING');
    expect(await stuck()).toBeNull();
    const { items } = await as('viewer').refunds.list({ mode: 'test', paymentId: payment.paymentId });
    expect(items.find(({ refundId }) => refundId === failed)).toMatchObject({ unresolved: false, note: null });
    await dashboard.database.prisma.refund.updateMany({
      where: { id: again },
      data: { state: 'FAILED', failureMessage: REFUSAL },
    });
    expect(await stuck()).toBe('1,500.00 (1)');
  });

  test('is dismissed with a note, once, recorded in timeline and audit log', async () => {
    const payment = await paid();
    const refundId = await refunded(payment, 2_500n, 'FAILED');
    const dismissal = { merchantId: mine.merchantId, refundId, note: ' Paid back by bank transfer. ' };
    await expect(as('viewer').refunds.dismiss(dismissal)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await as('finance').refunds.dismiss(dismissal)).toEqual({ kind: 'dismissed' });
    expect(await stuck()).toBeNull();
    const { refunds, timeline } = await as('viewer').payments.byId(payment);
    expect(refunds).toMatchObject([{ state: 'FAILED', unresolved: false, note: 'Paid back by bank transfer.' }]);
    expect(timeline.at(-1)).toMatchObject({
      type: 'refund.dismissed',
      cause: 'staff',
      detail: { note: 'Paid back by bank transfer.' },
    });
    const audit = await dashboard.database.prisma.auditEntry.findMany({
      where: { objectId: refundId },
      orderBy: { position: 'asc' },
    });
    expect(audit.map(({ action }) => action)).toEqual(['refund.requested', 'refund.dismissed']);
    expect(await as('finance').refunds.dismiss(dismissal)).toEqual({ kind: 'resolved' });
  });

  test('that needs attention is ended as a person saw it at the gateway, once, with payment, event and audit log', async () => {
    const payment = await paid();
    const refundId = await refunded(payment, 2_500n, 'NEEDS_ATTENTION');
    const seen = { merchantId: mine.merchantId, refundId, state: 'SUCCEEDED', note: 'Paid out on 20 November.' } as const;
    await expect(as('viewer').refunds.record(seen)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(as('finance').refunds.record({ ...seen, merchantId: theirs.merchantId })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(await as('finance').refunds.record(seen)).toMatchObject({ kind: 'recorded', refund: { state: 'SUCCEEDED' } });
    const { status, refunds, timeline } = await as('viewer').payments.byId(payment);
    expect([status, refunds[0]?.state]).toEqual(['REFUNDED', 'SUCCEEDED']);
    expect(timeline.map(({ type, cause }) => [type, cause])).toContainEqual(['refund.succeeded', 'staff']);
    const [entry] = await dashboard.database.prisma.auditEntry.findMany({
      where: { objectId: refundId, action: 'refund.outcome_recorded' },
    });
    expect(entry?.after).toMatchObject({ state: 'SUCCEEDED', note: 'Paid out on 20 November.' });
    expect(await as('finance').refunds.record({ ...seen, state: 'FAILED' })).toEqual({ kind: 'not_waiting', state: 'SUCCEEDED' });
  });

  test('that needs attention and was not paid out fails, and its amount can be refunded again', async () => {
    const payment = await paid();
    const refundId = await refunded(payment, 2_500n, 'NEEDS_ATTENTION');
    const seen = { merchantId: mine.merchantId, refundId, state: 'FAILED', note: 'Squad returned it.' } as const;
    expect((await as('viewer').refunds.refundable({ paymentId: payment.paymentId })).refundable).toBe(0n);
    expect(await as('finance').refunds.record(seen)).toMatchObject({ kind: 'recorded' });
    expect((await as('viewer').refunds.refundable({ paymentId: payment.paymentId })).refundable).toBeGreaterThan(0n);
    expect(await as('finance').refunds.record({ ...seen, refundId: await refunded(await paid(), 1n, 'PROCESSING') })).toEqual({
      kind: 'not_waiting',
      state: 'PROCESSING',
    });
  });

  test('cannot be dismissed before it failed, for a duplicate charge, or by another merchant', async () => {
    const under = { merchantId: mine.merchantId, refundId: await refunded(await paid(), 500n, 'PROCESSING'), note: 'x' };
    expect(await as('finance').refunds.dismiss(under)).toEqual({ kind: 'not_failed', state: 'PROCESSING' });
    const payment = await paid();
    const second = await refunded(payment, 500n, 'FAILED', { duplicate: true });
    expect(await as('finance').refunds.dismiss({ ...under, refundId: second })).toEqual({ kind: 'not_failed', state: 'FAILED' });
    expect(await stuck()).toBeNull();
    const foreign = await refunded(await paid(theirs), 500n, 'FAILED');
    await expect(as('finance').refunds.dismiss({ ...under, refundId: foreign })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(
      as('finance').refunds.dismiss({ merchantId: theirs.merchantId, refundId: foreign, note: 'x' }),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

test('a refund that its gateway cannot complete needs attention, and its list says why', async () => {
  const payment = await paid();
  await refunded(payment, 700n, 'NEEDS_ATTENTION');
  expect(await stuck()).toBe('700.00 (1)');
  const { items } = await as('viewer').refunds.list({ mode: 'test', states: ['FAILED', 'NEEDS_ATTENTION'] });
  expect(items).toMatchObject([{ paymentId: payment.paymentId, amount: 700n, failureMessage: REFUSAL }]);
});

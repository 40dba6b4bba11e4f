import { UnavailableError } from '@switchyard/db';
import type { Attempt } from '@switchyard/db/client';
import type { Gateway, ListedPayment, ListedRefund, Outcome } from '@switchyard/gateways';
import { recordPayment, type TestPayments, withGateways } from '@switchyard/payments/testing';
import { reloadConfiguration } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { reconcileDay } from './reconcile-day.ts';
import { requestReconciliation } from './runs-queries.ts';
import { createReconciledMerchant, openTestReconciliation } from './testing/open.ts';

const NOON = new Date('2026-11-20T11:00:00Z');
const MIDNIGHT = new Date('2026-11-20T23:00:00Z');
const call = { method: 'GET', url: '', httpStatus: 200, latencyMs: 1, request: null, answer: null, retryAfterMs: null };

let context: TestPayments;
let merchant: Awaited<ReturnType<typeof createReconciledMerchant>>;
beforeAll(async () => {
  context = await openTestReconciliation();
});
beforeEach(async () => {
  context.setClock(new Date('2026-11-21T08:00:00Z'));
  merchant = await createReconciledMerchant(context);
});
afterAll(() => context.close());

/** A payment of NGN 2,500 that is paid by one attempt at the gateway, made at noon. */
async function paid(gateway: 'paystack' | 'flutterwave' = 'paystack'): Promise<Attempt> {
  const { paymentId } = await recordPayment(context, merchant.merchantId, { createdAt: NOON, requestedGateway: gateway });
  const { prisma } = context.database;
  const { merchantId, id } = await prisma.attempt.findFirstOrThrow({ where: { paymentId } });
  return prisma.attempt.update({
    where: { merchantId_id: { merchantId, id } },
    data: { state: 'PAID', receivedAmount: 2_500, receivedCurrency: 'NGN', createdAt: NOON, transactionId: `t-${id}` },
  });
}

function listedPayment({ reference, transactionId }: Attempt): ListedPayment {
  return {
    transactionId: transactionId ?? '',
    reference,
    status: 'paid',
    amount: '2500',
    currency: 'NGN',
    method: 'CARD',
    fee: null,
    createdAt: NOON,
    paidAt: NOON,
  };
}

interface Statement {
  readonly payments?: readonly ListedPayment[];
  readonly refunds?: readonly ListedRefund[];
}

/** Compares 20 November with a gateway that lists what of the statement is of the days that it is asked for. */
async function compare({ payments = [], refunds = [] }: Statement, changes: Partial<Gateway> = {}) {
  const listing =
    <T extends { readonly createdAt: Date }>(rows: readonly T[]) =>
    async (
      _access: unknown,
      { from, to }: { readonly from: Date; readonly to: Date },
    ): Promise<Outcome<{ rows: T[]; nextCursor: null }>> => {
      const inTime = rows.filter(({ createdAt }) => createdAt >= from && createdAt < to);
      return { outcome: 'yes', value: { rows: inTime, nextCursor: null }, call };
    };
  const key = { merchantId: merchant.merchantId, accountId: merchant.paystack, day: '2026-11-20' };
  const request = { ...key, runId: context.newId(), mode: 'test', gateway: 'paystack', zone: 'Africa/Lagos' } as const;
  await context.database.prisma.$transaction((transaction) => requestReconciliation(transaction, request, context.now()));
  const gateway = { listPayments: listing(payments), listRefunds: listing(refunds), ...changes };
  return reconcileDay(
    withGateways(context, () => gateway),
    key,
  );
}

const kinds = (outcome: Awaited<ReturnType<typeof compare>>) =>
  outcome.kind === 'compared' ? outcome.comparison.discrepancies.map(({ kind, about }) => `${about} ${kind}`) : outcome;

test('a day on which both sides have the same is compared without a discrepancy, of this account alone', async () => {
  const own = await paid();
  await paid('flutterwave');
  expect(kinds(await compare({ payments: [listedPayment(own)] }))).toEqual([]);
});

test('a payment that the gateway does not list, and one that it alone has, are found', async () => {
  const own = await paid();
  const theirs = { ...listedPayment(own), transactionId: 'direct', reference: 'direct' };
  expect(kinds(await compare({ payments: [theirs] }))).toEqual(['payment MISSING_HERE', 'payment MISSING_THERE']);
});

test('all payments of a day are compared, however many there are', async () => {
  const { merchantId, paymentId, accountId, gateway, reference, createdAt, updatedAt } = await paid();
  await context.database.prisma.attempt.createMany({
    data: Array.from({ length: 1_001 }, (_, index) => ({
      merchantId,
      id: context.newId(),
      paymentId,
      position: index + 1,
      accountId,
      gateway,
      reference: `${reference}-${index}`,
      state: 'PAID',
      receivedAmount: 2_500,
      receivedCurrency: 'NGN',
      transactionId: `${reference}-${index}`,
      createdAt,
      updatedAt,
    })),
  });
  const outcome = await compare({});
  expect(outcome.kind === 'compared' && outcome.comparison.discrepancies.length).toBe(1_002);
});

test('a refund that the gateway dates to the next day is found there, by its id or by our reference alone', async () => {
  const { paymentId, id: attemptId, transactionId } = await paid();
  const refund = async (gatewayRefundId: string | null) => {
    const id = context.newId();
    await context.database.prisma.refund.create({
      data: {
        merchantId: merchant.merchantId,
        accountId: merchant.paystack,
        id,
        mode: 'test',
        paymentId,
        attemptId,
        gateway: 'paystack',
        transactionId: transactionId ?? '',
        amount: 400n,
        currency: 'NGN',
        state: 'SUCCEEDED',
        reference: `rf-${id}`,
        gatewayRefundId,
        requestedBy: 'system:test',
        createdAt: new Date(MIDNIGHT.getTime() - 1_000),
        updatedAt: MIDNIGHT,
      },
    });
    return `rf-${id}`;
  };
  const listed = (gatewayRefundId: string, note: string | null): ListedRefund => ({
    gatewayRefundId,
    paymentReference: null,
    transactionId: null,
    amount: '400',
    currency: 'NGN',
    state: 'succeeded',
    note,
    createdAt: MIDNIGHT,
  });
  await refund('75923');
  const named = await refund(null);
  const missing = ['payment MISSING_THERE', 'refund MISSING_THERE'];
  expect(kinds(await compare({ refunds: [listed('75923', null)] }))).toEqual(missing);
  expect(kinds(await compare({ refunds: [listed('75924', `refund ${named}`)] }))).toEqual(missing);
  expect(kinds(await compare({ refunds: [listed('75923', null), listed('75924', `refund ${named}`)] }))).toEqual(
    missing.slice(0, 1),
  );
});

test('a statement that cannot be read whole leaves everything as it is, says why, and is read again', async () => {
  await paid();
  const why = 'The gateway did not answer in time.';
  const failure = { class: 'provider_fault', code: 'timeout', message: why } as const;
  const unreadable: Partial<Gateway> = { listRefunds: async () => ({ outcome: 'unknown', failure, call }) };
  expect(await compare({}, unreadable)).toEqual({ kind: 'failed', why, again: true });
  const { prisma } = context.database;
  const where = { merchantId: merchant.merchantId };
  expect(await prisma.reconciliationDiscrepancy.count({ where })).toBe(0);
  expect(await prisma.reconciliationRun.findFirst({ where })).toMatchObject({ failure: why });
});

test('a fault of our own is shown on the run and thrown, and a day that was not asked for is not compared', async () => {
  const broken: Partial<Gateway> = { listPayments: () => Promise.reject(new Error('a bug')) };
  await expect(compare({}, broken)).rejects.toThrow('a bug');
  const run = await context.database.prisma.reconciliationRun.findFirst({ where: { merchantId: merchant.merchantId } });
  expect(run?.failure).toContain('on our side');
  const key = { merchantId: merchant.merchantId, accountId: merchant.flutterwave, day: '2026-11-20' };
  expect(await reconcileDay(context, key)).toEqual({ kind: 'busy' });
});

test('a day of an account that this process cannot use is said to be tried again, and nothing about its credentials', async () => {
  const where = { merchantId_id: { merchantId: merchant.merchantId, id: merchant.paystack } };
  await context.database.prisma.gatewayAccount.update({ where, data: { credentials: 'v1.k9.AAAA.AAAA.AAAA' } });
  await reloadConfiguration(context, merchant.merchantId);
  await expect(compare({})).rejects.toThrow(UnavailableError);
  const run = await context.database.prisma.reconciliationRun.findFirstOrThrow({ where: { accountId: merchant.paystack } });
  expect(run).toMatchObject({ failure: 'Something went wrong on our side. It is tried again.' });
});

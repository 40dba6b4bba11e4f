import type { PaymentsContext } from '@switchyard/payments/context';
import { verifyAttempt } from '@switchyard/payments/verify';
import { listDiscrepancies, listRuns, resolveDiscrepancy } from '@switchyard/reconciliation/discrepancies';
import { reconcileDay, requestDay } from '@switchyard/reconciliation/runs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { order, readPayment, readRecord } from '../harness/contract.ts';
import { PAIR, type PairName } from '../harness/gateways.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import { lagosDay } from '../harness/lagos-day.ts';
import type { TestMerchant } from '../harness/merchants.ts';
import { goBackToMidday } from '../harness/midday.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const STAFF = 'staff:0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10';

/** The day a test runs in, in Lagos, the midnight that ends it, and noon of the day after. */
let day: string;
let midnight: number;
let afterwards: Date;

let harness: Harness;
let merchant: TestMerchant;
let context: PaymentsContext;
beforeAll(async () => {
  goBackToMidday();
  harness = await startHarness({ worker: false });
});
beforeEach(async () => {
  day = lagosDay();
  midnight = Date.parse(`${day}T00:00:00+01:00`) + DAY_MS;
  afterwards = new Date(midnight + 12 * HOUR_MS);
  merchant = await harness.merchant();
  context = at(afterwards);
});
afterEach(() => harness.gateways.heal());
afterAll(async () => {
  await harness.close();
  vi.useRealTimers();
});

const at = (now: Date): PaymentsContext => ({ ...harness.switchyard.payments, now: () => now });
const keyOf = (gateway: PairName) => ({ merchantId: merchant.merchantId, accountId: merchant.accounts[gateway], day });
const scope = () => ({ merchantIds: [merchant.merchantId], mode: 'test' as const, accountId: null, from: null, to: null });

/** Schedules the day's run and executes it. */
async function compare(gateway: PairName, with_: PaymentsContext = context) {
  expect(await requestDay(with_, { ...keyOf(gateway), actor: STAFF })).toEqual({ kind: 'requested' });
  return reconcileDay(with_, keyOf(gateway));
}

async function discrepancies() {
  const query = { ...scope(), sort: { by: 'day', order: 'desc' }, after: null, limit: 100 } as const;
  return (await listDiscrepancies(context, query)).items;
}
const summaries = async () => (await discrepancies()).map(({ kind, state, reference }) => [kind, state, reference]).sort();
const rows = () => harness.database.prisma.reconciliationDiscrepancy.findMany({ where: { merchantId: merchant.merchantId } });
const runOf = async (gateway: PairName) =>
  (await listRuns(context, { ...scope(), accountId: merchant.accounts[gateway], after: null, limit: 10 })).items[0];

async function initiate(gateway: PairName) {
  const body = order({ requestedGateway: gateway });
  const payment = readPayment(await harness.send('node', 'POST', '/v1/payments/initiate', { key: merchant.testKey, body }));
  return { paymentId: payment.paymentId, reference: payment.recommendedGateway.session?.reference ?? '' };
}

/** A payment both sides hold to be paid. */
async function pay(gateway: PairName) {
  const payment = await initiate(gateway);
  await harness.gateways.settle(gateway, payment.reference, 'success');
  const verified = await harness.send('node', 'POST', `/v1/payments/${payment.paymentId}/verify`, { key: merchant.testKey });
  expect(readRecord(verified).data.status).toBe('SUCCESS');
  return payment;
}

/** 2,500 naira as the gateway counts. */
const unit = (gateway: PairName, naira: number) => (gateway === 'paystack' ? naira * 100 : naira);
const alter = (gateway: PairName, reference: string, body: object) =>
  harness.gateways.amend(gateway, `transactions/${reference}/alter`, body);

async function plant(gateway: PairName, body: object): Promise<void> {
  const accounts = z.object({ keys: z.array(z.object({ account: z.string(), webhookUrl: z.string().nullable() })) });
  const { keys } = accounts.parse(await harness.gateways.accounts(gateway));
  const own = keys.find(({ webhookUrl }) => webhookUrl?.endsWith(`/${merchant.accounts[gateway]}`));
  if (own === undefined) throw new Error('the gateway knows no such account');
  await harness.gateways.amend(gateway, 'transactions', { account: own.account, ...body });
}

describe.each(PAIR)('a day at %s', (gateway) => {
  test('on which both sides agree has no discrepancies, and adds up to the same', async () => {
    await pay(gateway);
    await pay(gateway);
    await initiate(gateway);
    expect(await compare(gateway)).toMatchObject({ kind: 'compared', comparison: { discrepancies: [] } });
    const fee = gateway === 'paystack' ? '275' : '70';
    expect(await runOf(gateway)).toMatchObject({
      state: 'DONE',
      day,
      zone: 'Africa/Lagos',
      failure: null,
      open: 0,
      comparedAt: afterwards,
      totals: [{ currency: 'NGN', ledger: { count: 2, amount: '5000' }, statement: { count: 2, amount: '5000' }, fees: fee }],
    });
    expect(await rows()).toEqual([]);
  });

  test('shows each thing on which they do not, and nothing else', async () => {
    const kept = await pay(gateway);
    const lost = await pay(gateway);
    const short = await pay(gateway);
    const dollars = await pay(gateway);
    const failed = await pay(gateway);
    await plant(gateway, { reference: `till-${merchant.merchantNumber}`, amount: unit(gateway, 990.5) });
    await alter(gateway, lost.reference, { hidden: true });
    await alter(gateway, short.reference, { amount: unit(gateway, 2_400.5) });
    await alter(gateway, dollars.reference, { currency: 'USD' });
    await alter(gateway, failed.reference, { status: 'failed' });
    await compare(gateway);
    expect(await summaries()).toEqual(
      [
        ['MISSING_HERE', 'OPEN', `till-${merchant.merchantNumber}`],
        ['MISSING_THERE', 'OPEN', lost.reference],
        ['AMOUNT', 'OPEN', short.reference],
        ['CURRENCY', 'OPEN', dollars.reference],
        ['STATUS', 'OPEN', failed.reference],
      ].sort(),
    );
    const amount = (await discrepancies()).find(({ kind }) => kind === 'AMOUNT');
    expect(amount).toMatchObject({ paymentId: short.paymentId, ledger: { amount: '2500' }, statement: { amount: '2400.5' } });
    expect((await discrepancies()).some(({ reference }) => reference === kept.reference)).toBe(false);
  });

  test('compared again changes nothing, and detects what has been corrected', async () => {
    const payment = await pay(gateway);
    await alter(gateway, payment.reference, { amount: unit(gateway, 2_000) });
    await compare(gateway);
    const before = await rows();
    expect(before.length).toBe(1);
    await compare(gateway, at(new Date(afterwards.getTime() + HOUR_MS)));
    expect(await rows()).toEqual(before);
    await alter(gateway, payment.reference, { amount: unit(gateway, 2_500) });
    await compare(gateway, at(new Date(afterwards.getTime() + 2 * HOUR_MS)));
    expect(await rows()).toMatchObject([{ state: 'RESOLVED', resolvedBy: 'system:reconciliation', id: before[0]?.id }]);
  });

  test('leaves what a person explained as it is, until the facts are others', async () => {
    const payment = await pay(gateway);
    await alter(gateway, payment.reference, { amount: unit(gateway, 2_000) });
    await compare(gateway);
    const [found] = await discrepancies();
    const command = { merchantId: merchant.merchantId, discrepancyId: found?.discrepancyId ?? '', actor: STAFF };
    const resolved = await resolveDiscrepancy(context, { ...command, as: 'EXPLAINED', why: 'Agreed discount.' });
    expect(resolved).toEqual({ kind: 'changed' });
    const before = await rows();
    await compare(gateway, at(new Date(afterwards.getTime() + HOUR_MS)));
    expect(await rows()).toEqual(before);
    await alter(gateway, payment.reference, { amount: unit(gateway, 1_500) });
    await compare(gateway, at(new Date(afterwards.getTime() + 2 * HOUR_MS)));
    expect(await rows()).toMatchObject([{ id: before[0]?.id, state: 'OPEN', resolvedBy: null, statement: { amount: '1500' } }]);
    const entries = await harness.database.prisma.auditEntry.findMany({
      where: { tenantId: merchant.merchantId, objectId: before[0]?.id ?? '' },
      orderBy: { position: 'asc' },
    });
    expect(entries.map(({ action, actor }) => [action, actor])).toEqual([
      ['reconciliation.explained', STAFF],
      ['reconciliation.reopened', 'system:reconciliation'],
    ]);
  });

  test('with an unknown payment verifies it at the gateway at once, and then it is known', async () => {
    await harness.gateways.setFault(gateway, 'no_webhook');
    const payment = await initiate(gateway);
    await harness.gateways.settle(gateway, payment.reference, 'success');
    await harness.database.prisma.payment.updateMany({ where: { id: payment.paymentId }, data: { status: 'FAILED' } });
    await compare(gateway);
    expect(await summaries()).toEqual([['STATUS', 'OPEN', payment.reference]]);
    const jobs = await harness.database.pool.query<{ payload: unknown }>(
      `SELECT payload FROM graphile_worker._private_jobs AS job JOIN graphile_worker._private_tasks AS task ON task.id = job.task_id
       WHERE task.identifier = 'check-attempt' AND payload->>'merchantId' = $1`,
      [merchant.merchantId],
    );
    const asked = z.object({ attemptId: z.string(), transactionId: z.string() }).parse(jobs.rows[0]?.payload);
    expect(jobs.rows.length).toBe(1);
    await verifyAttempt(harness.switchyard.payments, { merchantId: merchant.merchantId, ...asked });
    const seen = await harness.database.prisma.payment.findFirstOrThrow({ where: { id: payment.paymentId } });
    expect(seen).toMatchObject({ status: 'SUCCESS', late: true });
    await compare(gateway, at(new Date(afterwards.getTime() + HOUR_MS)));
    expect(await summaries()).toEqual([['STATUS', 'RESOLVED', payment.reference]]);
  });

  test('fails with the reason while the gateway is unavailable, writes no discrepancies, and succeeds afterwards', async () => {
    const payment = await pay(gateway);
    await alter(gateway, payment.reference, { amount: unit(gateway, 2_000) });
    await harness.gateways.setFault(gateway, 'http_500');
    expect(await compare(gateway)).toMatchObject({ kind: 'failed', again: true });
    const failed = await runOf(gateway);
    expect(failed).toMatchObject({ state: 'FAILED', comparedAt: null, totals: [] });
    expect(failed?.failure).toContain('500');
    expect(await rows()).toEqual([]);
    await harness.gateways.heal();
    expect(await reconcileDay(context, keyOf(gateway))).toMatchObject({ kind: 'compared' });
    expect((await rows()).length).toBe(1);
  });

  test('is compared once at a time', async () => {
    await pay(gateway);
    await requestDay(context, { ...keyOf(gateway), actor: STAFF });
    const all = await Promise.all(Array.from({ length: 8 }, () => reconcileDay(context, keyOf(gateway))));
    expect(all.filter(({ kind }) => kind === 'compared').length).toBeGreaterThanOrEqual(1);
    expect(all.every(({ kind }) => kind === 'compared' || kind === 'busy')).toBe(true);
    expect(await runOf(gateway)).toMatchObject({ state: 'DONE', open: 0 });
  });

  test('records the fee of a payment that has none, and nothing else', async () => {
    const { paymentId } = await pay(gateway);
    await harness.database.prisma.payment.updateMany({ where: { id: paymentId }, data: { feeAmount: null } });
    const before = await harness.database.prisma.payment.findFirstOrThrow({ where: { id: paymentId } });
    await compare(gateway);
    const after = await harness.database.prisma.payment.findFirstOrThrow({ where: { id: paymentId } });
    expect(after.feeAmount?.toString()).toBe(gateway === 'paystack' ? '137.5' : '35');
    expect({ ...after, feeAmount: null }).toEqual(before);
  });

  test('misses nothing that the gateway dates a moment after midnight', async () => {
    const payment = await pay(gateway);
    await alter(gateway, payment.reference, { createdAt: new Date(midnight + 60_000).toISOString() });
    await harness.database.prisma.payment.updateMany({
      where: { id: payment.paymentId },
      data: { paidAt: new Date(midnight + 60_000) },
    });
    expect(await compare(gateway)).toMatchObject({ kind: 'compared', comparison: { discrepancies: [], totals: [] } });
  });

  test('matches money that came a second time, at another gateway than the first, on both sides', async () => {
    await harness.gateways.setFault(gateway, 'broken_json');
    const body = order({ requestedGateway: gateway });
    const initiated = await harness.send('node', 'POST', '/v1/payments/initiate', { key: merchant.testKey, body });
    await harness.gateways.heal();
    const { paymentId } = readPayment(initiated);
    const attempts = await harness.database.prisma.attempt.findMany({ where: { paymentId }, orderBy: { position: 'desc' } });
    expect(attempts.map((attempt) => attempt.gateway).at(-1)).toBe(gateway);
    for (const attempt of attempts) {
      const paidAt = PAIR.find((name) => name === attempt.gateway) ?? gateway;
      await harness.gateways.settle(paidAt, attempt.reference, 'success');
      const about = { merchantId: merchant.merchantId, attemptId: attempt.id, transactionId: null };
      await verifyAttempt(harness.switchyard.payments, about);
    }
    const charges = await harness.database.prisma.duplicateCharge.findMany({ where: { paymentId } });
    expect(charges).toMatchObject([{ gateway, state: 'OPEN' }]);
    expect(await compare(gateway)).toMatchObject({ kind: 'compared', comparison: { discrepancies: [] } });
    expect(await runOf(gateway)).toMatchObject({
      totals: [{ ledger: { count: 1, amount: '2500' }, statement: { count: 1, amount: '2500' } }],
    });
  });

  test('compares refunds: those only in the statement, and those only in the ledger', async () => {
    const payment = await pay(gateway);
    await harness.gateways.amend(gateway, 'refunds', { reference: payment.reference, amount: unit(gateway, 300) });
    const attempt = await harness.database.prisma.attempt.findFirstOrThrow({ where: { paymentId: payment.paymentId } });
    const times = { createdAt: new Date(), updatedAt: new Date() };
    const ours = (refundId: string, reference: string, gatewayRefundId: string | null) => ({
      mode: 'test' as const,
      gateway,
      transactionId: attempt.transactionId ?? '',
      merchantId: merchant.merchantId,
      id: refundId,
      paymentId: payment.paymentId,
      attemptId: attempt.id,
      accountId: attempt.accountId,
      amount: 400n,
      currency: 'NGN',
      state: 'SUCCEEDED' as const,
      reference,
      gatewayRefundId,
      requestedBy: STAFF,
      ...times,
    });
    await harness.database.prisma.refund.create({ data: ours(context.newId(), `rf-${payment.paymentId}`, '424242424242') });
    await harness.database.prisma.refund.create({ data: ours(context.newId(), `rf-known-${payment.paymentId}`, null) });
    const note = `rf-known-${payment.paymentId} Item out of stock`;
    await harness.gateways.amend(gateway, 'refunds', { reference: payment.reference, amount: unit(gateway, 400), note });
    await compare(gateway);
    const found = (await discrepancies()).map(({ kind, about, ledger, statement }) => [
      kind,
      about,
      (ledger ?? statement)?.amount,
    ]);
    expect(found.sort()).toEqual([
      ['MISSING_HERE', 'refund', '300'],
      ['MISSING_THERE', 'refund', '400'],
    ]);
    expect(await runOf(gateway)).toMatchObject({
      totals: [{ ledgerRefunded: { count: 2, amount: '800' }, statementRefunded: { count: 2, amount: '700' } }],
    });
  });
});

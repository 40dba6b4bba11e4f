import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { newId } from '@switchyard/db';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { readDisputes } from '@switchyard/disputes/intake';
import { verifyDecisions } from '@switchyard/payments/console/routing';
import { openPayments, type PaymentsContext } from '@switchyard/payments/context';
import { followRefunds, requestRefund, sendRefund } from '@switchyard/payments/refunds';
import { reconcileDay } from '@switchyard/reconciliation/runs';
import { openResources, type Resources } from '@switchyard/runtime/resources';
import { followBank } from '@switchyard/settlements/bank';
import { listSettlementSources } from '@switchyard/settlements/console';
import { auditFees, matchAccount, readSettlements } from '@switchyard/settlements/intake';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { seedDemo } from './seed-demo.ts';
import { seededRandom } from './week/random.ts';

// Against hanging: each is a complete start of the demo with its generated history, some are several.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const root = fileURLToPath(new URL('../..', import.meta.url));
const { PATH, NODE_COMPILE_CACHE } = process.env;
const GATEWAYS = ['paystack', 'flutterwave'] as const;
const readySchema = z.object({
  ready: z.literal(true),
  controlUrl: z.url(),
});

interface RunningSandbox extends z.infer<typeof readySchema> {
  readonly process: ChildProcess;
}

let folder: string;
let database: TestDatabase;
let sandbox: RunningSandbox;
let payments: PaymentsContext;
let resources: Resources;
/** The port that the sandbox reuses over restarts, as in a real start. */
let port = '0';
const secrets = {
  SWITCHYARD_ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  SWITCHYARD_KEY_PEPPER: randomBytes(32).toString('base64'),
  SWITCHYARD_AUTH_SECRET: randomBytes(32).toString('base64'),
};

async function startSandbox(): Promise<RunningSandbox> {
  const state = join(folder, 'sandbox');
  const env = { PATH, NODE_COMPILE_CACHE, SANDBOX_PORT: port, SANDBOX_STATE_DIR: state, SANDBOX_REFUND_DELAY_MS: '0' };
  const child = spawn(process.execPath, ['apps/sandbox/src/main.ts'], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface(child.stdout)) {
    const ready = readySchema.parse(JSON.parse(line));
    port = new URL(ready.controlUrl).port;
    return { ...ready, process: child };
  }
  throw new Error('the sandbox ended before it was ready');
}

async function stopSandbox(): Promise<void> {
  const ended = new Promise((resolve) => sandbox.process.once('exit', resolve));
  sandbox.process.kill('SIGTERM');
  await ended;
}

function environment(): Record<string, string> {
  return {
    ...secrets,
    DATABASE_URL: database.url,
    SWITCHYARD_PUBLIC_URL: 'http://127.0.0.1:3000',
    SWITCHYARD_SANDBOX_URL: sandbox.controlUrl,
    SWITCHYARD_PRIVATE_ADDRESSES: 'allow',
    SWITCHYARD_DEMO_FILE: join(folder, 'demo.json'),
  };
}

/** Seeds as a start does, and opens the product on it. */
async function start(): Promise<void> {
  await seedDemo(environment());
  const report = (error: unknown, doing: string) => {
    throw new Error(`trouble while ${doing}`, { cause: error });
  };
  resources = openResources(environment(), report);
  payments = openPayments(resources, { onError: report });
  await resources.configuration.ready();
}

async function leave(): Promise<void> {
  payments.close();
  await resources.close();
}

// Each is undone whether or not the next succeeds: a sandbox that is not stopped would run on.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchyard-history-'));
  return () => rm(folder, { recursive: true, force: true });
});
beforeAll(async () => {
  database = await createTestDatabase();
  return () => database.close();
});
beforeAll(async () => {
  sandbox = await startSandbox();
  return () => stopSandbox();
});
beforeAll(async () => {
  await start();
  return () => leave();
});

/** The number of transactions that the sandbox has at a gateway. */
async function held(gateway: (typeof GATEWAYS)[number]): Promise<number> {
  const answer = await fetch(`${sandbox.controlUrl}/control/${gateway}/journal`);
  return z.object({ transactions: z.array(z.unknown()) }).parse(await answer.json()).transactions.length;
}

/** Refunds the newest historic payment at a gateway without a refund, and follows the refund to its end. */
async function refundPast(gateway: (typeof GATEWAYS)[number], amount: bigint | null) {
  const { prisma } = database;
  const payment = await prisma.payment.findFirstOrThrow({
    where: { status: 'SUCCESS', accountGateway: gateway, refunds: { none: {} } },
    orderBy: { createdAt: 'desc' },
  });
  const { merchantId, id: paymentId } = payment;
  const refundId = newId();
  const request = { refundId, merchantId, mode: 'test', paymentId, amount, reason: 'Out of stock' } as const;
  expect(await requestRefund(payments, { ...request, actor: 'staff:first-visitor', cause: 'staff' })).toMatchObject({
    kind: 'requested',
  });
  await sendRefund(payments, { merchantId, refundId });
  // A gateway that does not answer in time is asked again.
  const isOpen = async () => {
    await prisma.refund.updateMany({ where: { id: refundId, nextCheckAt: { not: null } }, data: { nextCheckAt: new Date() } });
    await followRefunds(payments, (error) => {
      throw error;
    });
    return (await prisma.refund.findFirstOrThrow({ where: { id: refundId } })).nextCheckAt !== null;
  };
  await expect.poll(isOpen, { timeout: 60_000, interval: 500 }).toBe(false);
  const refund = await prisma.refund.findFirstOrThrow({ where: { id: refundId } });
  return { refund, payment: await prisma.payment.findFirstOrThrow({ where: { id: paymentId } }) };
}

describe('a historic demo payment', () => {
  test.each(GATEWAYS)('at %s can be refunded in part and in full after the first start', async (gateway) => {
    const part = await refundPast(gateway, 100n);
    expect(part.refund).toMatchObject({ state: 'SUCCEEDED', failureMessage: null });
    expect(part.payment).toMatchObject({ status: 'SUCCESS', refundedAmount: 100n });
    const all = await refundPast(gateway, null);
    expect(all.refund).toMatchObject({ state: 'SUCCEEDED', amount: all.payment.amount });
    expect(all.payment.status).toBe('REFUNDED');
  });

  test('is still known after a restart with stored state, after one without, and is imported once', async () => {
    const refundAtEach = async () => {
      for (const gateway of GATEWAYS) expect((await refundPast(gateway, null)).refund).toMatchObject({ state: 'SUCCEEDED' });
    };
    const heldAtEach = () => Promise.all(GATEWAYS.map(held));
    const before = await heldAtEach();
    await stopSandbox();
    sandbox = await startSandbox();
    await refundAtEach();
    await leave();
    await start();
    expect(await heldAtEach()).toEqual(before);
    await stopSandbox();
    await rm(join(folder, 'sandbox'), { recursive: true });
    sandbox = await startSandbox();
    await leave();
    await start();
    expect(await heldAtEach()).toEqual(before);
    await refundAtEach();
  });
});

test('a merchant, the accounts of its history and its rules are there before its first payment, in the audit log as well', async () => {
  const { prisma } = database;
  const oldest = await prisma.payment.findFirstOrThrow({ orderBy: { createdAt: 'asc' }, select: { createdAt: true } });
  const merchants = await prisma.merchant.findMany({ select: { id: true, createdAt: true } });
  expect(merchants.length).toBe(4);
  for (const { id: tenantId, createdAt } of merchants) {
    expect(createdAt.getTime()).toBeLessThanOrEqual(oldest.createdAt.getTime());
    const entries = await prisma.auditEntry.findMany({
      where: { tenantId, createdAt: { lte: oldest.createdAt } },
      select: { action: true },
    });
    expect(entries.map(({ action }) => action).sort()).toEqual([
      'gateway_account.connected',
      'gateway_account.connected',
      'merchant.created',
      'rule_set.published',
    ]);
  }
});

test('historic refunds, duplicate charges and stuck refunds match at the gateways', async () => {
  const refunds = await database.prisma.refund.findMany({ where: { gatewayRefundId: { not: null } } });
  expect(refunds.length).toBeGreaterThan(100);
  const journals = await Promise.all(
    GATEWAYS.map(async (gateway) => {
      const answer = await fetch(`${sandbox.controlUrl}/control/${gateway}/journal`);
      const schema = z.object({ refunds: z.array(z.object({ id: z.number(), status: z.string(), amount: z.number() })) });
      return schema.parse(await answer.json()).refunds.map((refund) => ({ ...refund, gateway }));
    }),
  );
  const theirs = new Map(journals.flat().map((refund) => [`${refund.gateway}/${refund.id}`, refund]));
  const statuses: Record<string, string> = { SUCCEEDED: 'processed', NEEDS_ATTENTION: 'needs-attention' };
  for (const { gateway, gatewayRefundId, state, amount } of refunds) {
    expect(theirs.get(`${gateway}/${gatewayRefundId}`)).toMatchObject({
      status: statuses[state],
      amount: Number(amount) * (gateway === 'paystack' ? 100 : 1),
    });
  }
});

test('the finished days reconcile with the gateways but for a payment that did not come through the switch, and one under review', async () => {
  const { prisma } = database;
  const runs = await prisma.reconciliationRun.findMany({ orderBy: { day: 'asc' } });
  // Of four merchants. Yesterday is not compared before four in the morning.
  expect(runs.length).toBeGreaterThanOrEqual(4 * GATEWAYS.length * 6);
  for (const { merchantId, accountId, day } of runs) {
    const key = { merchantId, accountId, day: day.toISOString().slice(0, 10) };
    expect((await reconcileDay(payments, key)).kind).toBe('compared');
  }
  const open = await prisma.reconciliationDiscrepancy.findMany({ where: { state: 'OPEN' } });
  const underReview = await prisma.payment.findMany({ where: { review: 'OPEN' }, select: { id: true } });
  const others = open.filter(({ paymentId }) => !underReview.some(({ id }) => id === paymentId));
  expect(others).toMatchObject([{ kind: 'MISSING_HERE', reference: 'terminal-4217730951' }]);
});

test('the settlements of the last weeks are explained but for what was planted in them', async () => {
  const { prisma } = database;
  const accounts = await prisma.gatewayAccount.findMany({ where: { gateway: { in: [...GATEWAYS] } } });
  for (const { merchantId, id: accountId } of accounts) {
    expect(await readSettlements(payments, { merchantId, accountId })).toMatchObject({ kind: 'read' });
  }
  const open = await prisma.settlementDiscrepancy.findMany({ where: { state: 'OPEN' } });
  const lines = await prisma.settlementLine.findMany({ where: { id: { in: open.flatMap(({ lineId }) => lineId ?? []) } } });
  // Money that came, and that a person has to decide on before it belongs to a payment: by the hour, it is settled or not yet.
  const underReview = await prisma.attempt.findMany({ where: { payment: { review: 'OPEN' } }, select: { reference: true } });
  const found = open.flatMap(({ kind, subject, lineId }) => {
    const line = lines.find(({ id }) => id === lineId);
    if (kind === 'OVERCHARGED') return [];
    if (line === undefined) return `${kind} ${subject.split('/')[0]}`;
    if (underReview.some(({ reference }) => reference === line.reference)) return [];
    return `${kind} ${line.kind} ${line.reference ?? ''}`.trim();
  });
  expect(found.sort()).toEqual([
    'LATE payment',
    'MISSING payment',
    'UNMATCHED FEE terminal-4217730951',
    'UNMATCHED PAYMENT terminal-4217730951',
    'UNMATCHED RESIDUE',
  ]);
});

test('the payouts of the last weeks are on the bank statement but for what was planted in it', async () => {
  const { prisma } = database;
  const { merchantId } = await prisma.bankStatement.findFirstOrThrow();
  expect((await followBank(payments, { merchantId, mode: 'test' })).matched).toBeGreaterThan(10);
  const about = { OR: [{ subject: { startsWith: 'payout/' } }, { subject: { startsWith: 'bank/' } }] };
  const open = await prisma.settlementDiscrepancy.findMany({ where: { state: 'OPEN', ...about } });
  const found = open.map(({ kind, subject, expected, settled }) => {
    const difference = expected === null ? settled : settled?.minus(expected);
    return `${kind} ${subject.split('/')[0]} ${difference?.toFixed() ?? 'nothing'}`;
  });
  expect(found.sort()).toEqual(['MISSING payout nothing', 'UNDER payout -50', 'UNMATCHED bank 3250']);
});

test('settlements come by each of the three roads, and those by webhook and file are explained', async () => {
  const { prisma } = database;
  const [{ merchantId } = { merchantId: '' }] = await prisma.settlement.findMany({ where: { road: 'FILE' } });
  const sources = await listSettlementSources(payments, { merchantIds: [merchantId], mode: 'test' });
  const roadOf = (wanted: string) => sources.find(({ gateway }) => gateway === wanted);
  expect(GATEWAYS.map((gateway) => roadOf(gateway)?.road)).toEqual(['POLLED', 'POLLED']);
  for (const gateway of ['monnify', 'squad']) {
    const { accountId = '', road, heardAt } = roadOf(gateway) ?? {};
    expect([gateway, road, heardAt === null]).toEqual([gateway, gateway === 'monnify' ? 'WEBHOOK' : 'FILE', false]);
    if (gateway === 'monnify') expect(await readSettlements(payments, { merchantId, accountId })).toMatchObject({ kind: 'read' });
    await matchAccount(payments, { merchantId, accountId });
    const where = { merchantId, accountId };
    const [settlement, ...others] = await prisma.settlement.findMany({ where });
    expect([others.length, settlement?.status, settlement?.lineCount]).toEqual([0, 'PAID', expect.any(Number)]);
    expect(settlement?.unexplained.toFixed()).toBe('0');
    expect(settlement?.gross.toFixed()).toBe('24700');
    expect(await prisma.settlementDiscrepancy.count({ where })).toBe(0);
  }
});

test('every planted overcharge is found with what it is too much, and nothing else', async () => {
  const { prisma } = database;
  const accounts = await prisma.gatewayAccount.findMany({ where: { gateway: { in: [...GATEWAYS] } } });
  for (const { merchantId, id: accountId } of accounts) await auditFees(payments, { merchantId, accountId });
  const planted = await database.pool.query<{ subject: string; excess: string }>(`
WITH fee AS (
  SELECT payment.id, payment.received_amount AS amount, payment.fee_amount AS reported,
    (SELECT -sum(line.amount) FROM settlement_line AS line WHERE line.payment_id = payment.id AND line.kind = 'FEE' AND 'payment/' || payment.id = ANY (line.subjects)) AS settled,
    CASE payment.account_gateway
      WHEN 'paystack' THEN least(round(payment.received_amount * 0.015, 2) + CASE WHEN payment.received_amount < 2500 THEN 0 ELSE 100 END, 2000)
      ELSE round(least(round(payment.received_amount * 0.014, 2), 2000) * 1.075, 2) END AS agreed
  FROM payment WHERE fee_amount IS NOT NULL AND account_gateway IN ('paystack', 'flutterwave'))
SELECT 'fee/' || id AS subject, trim_scale(coalesce(settled, reported) - agreed)::text AS excess FROM fee
WHERE coalesce(settled, reported) - agreed > 0.01 ORDER BY 1`);
  const open = await prisma.settlementDiscrepancy.findMany({ where: { kind: 'OVERCHARGED', state: 'OPEN' } });
  const fees = await prisma.paymentFee.findMany({ where: { excess: { not: 0 } } });
  const found = fees.map(({ paymentId, excess }) => ({ subject: `fee/${paymentId}`, excess: excess.toFixed() }));
  expect(found.toSorted((a, b) => (a.subject < b.subject ? -1 : 1))).toEqual(planted.rows);
  expect(open.map(({ subject }) => subject).toSorted()).toEqual(planted.rows.map(({ subject }) => subject));
  // Two gateways, on a day each, and the fee of one settlement.
  const byGateway = Object.groupBy(fees, ({ gateway }) => gateway);
  expect(byGateway.paystack?.filter(({ amount }) => amount.lessThan(2_500)).length).toBeGreaterThan(0);
  expect(byGateway.flutterwave?.length).toBeGreaterThan(0);
  expect(fees.filter(({ settled, reported }) => !settled?.equals(reported ?? 0)).length).toBe(1);
});

test('the disputes are those that were planted, and reading them again finds nothing else', async () => {
  const { prisma } = database;
  const accounts = await prisma.gatewayAccount.findMany({ where: { gateway: { in: [...GATEWAYS] } } });
  for (let reading = 0; reading < 2; reading += 1) {
    for (const { merchantId, id: accountId } of accounts) {
      expect(await readDisputes(payments, { merchantId, accountId })).toMatchObject({ kind: 'read' });
    }
  }
  const found = await prisma.dispute.findMany();
  expect(found.map(({ gateway, state, category }) => `${gateway} ${state} ${category}`).sort()).toEqual([
    'flutterwave NEEDS_RESPONSE chargeback',
    'paystack EXPIRED chargeback',
    'paystack NEEDS_RESPONSE chargeback',
    'paystack NEEDS_RESPONSE fraud',
    'paystack WON chargeback',
  ]);
  const inFourHours = new Date(Date.now() + 4 * 3_600_000);
  const dueSoon = found.filter(({ state, dueAt }) => state === 'NEEDS_RESPONSE' && dueAt !== null && dueAt < inFourHours);
  expect(dueSoon.length).toBe(1);
  const reversed = await prisma.payment.findMany({ where: { reversalCause: 'chargeback' } });
  expect(reversed.map(({ id }) => id)).toEqual(found.flatMap(({ state, paymentId }) => (state === 'EXPIRED' ? [paymentId] : [])));
});

test('every decision of the past weeks comes out as it was stored, from the database alone, and one that was changed is named', async () => {
  const { prisma } = database;
  const random = () => 0.5;
  const payments = await prisma.payment.count();
  expect(payments).toBeGreaterThan(11_000);
  const all = await verifyDecisions(database, { merchantIds: null, size: null, random });
  expect(all).toEqual({ checkedCount: payments, failedCount: 0, failed: [] });

  const draw = seededRandom(7);
  const sampled = await verifyDecisions(database, { merchantIds: null, size: 1_000, random: () => draw.next() });
  expect(sampled.failedCount).toBe(0);
  expect(sampled.checkedCount).toBeGreaterThan(800);
  expect(sampled.checkedCount).toBeLessThan(1_200);

  const where = { accountGateway: { in: [...GATEWAYS] } };
  const { merchantId, id } = await prisma.payment.findFirstOrThrow({ where, orderBy: { createdAt: 'desc' } });
  await prisma.gatewayAccount.deleteMany({ where: { merchantId } });
  await prisma.payment.update({ where: { merchantId_id: { merchantId, id } }, data: { routingMode: 'requested' } });
  const changed = await verifyDecisions(database, { merchantIds: [merchantId], size: null, random });
  expect(changed.failed).toEqual([
    { merchantId, paymentId: id, differences: ['What was stored as routingMode is different when recomputed.'] },
  ]);
});

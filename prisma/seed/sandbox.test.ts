import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { newId } from '@switchyard/db';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { openPayments, type PaymentsContext } from '@switchyard/payments/context';
import { followRefunds, requestRefund, sendRefund } from '@switchyard/payments/refunds';
import { reconcileDay } from '@switchyard/reconciliation/runs';
import { openResources, type Resources } from '@switchyard/runtime/resources';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { seedDemo } from './seed-demo.ts';

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
  await prisma.refund.updateMany({ where: { id: refundId, nextCheckAt: { not: null } }, data: { nextCheckAt: new Date() } });
  await followRefunds(payments, (error) => {
    throw error;
  });
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

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
import { followRefunds, type RefundAmount, requestRefund, sendRefund } from '@switchyard/payments/refunds';
import { openResources, type Resources } from '@switchyard/runtime/resources';
import { beforeAll, expect, vi } from 'vitest';
import { z } from 'zod';
import { seedDemo } from '../seed-demo.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const { PATH, NODE_COMPILE_CACHE } = process.env;
/** The gateways of generated history. */
export const GATEWAYS = ['paystack', 'flutterwave'] as const;
const readySchema = z.object({
  ready: z.literal(true),
  controlUrl: z.url(),
});

interface RunningSandbox extends z.infer<typeof readySchema> {
  readonly process: ChildProcess;
}

/** Seeds the suite's database as a first start does, with a sandbox in a process of its own. */
export function openSeededDemo() {
  // Against hanging: each is a complete start of the demo with its generated history, some are several.
  vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

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

  /** Refunds the newest historic payment at a gateway without a refund, and follows the refund to its end. */
  async function refundPast(gateway: (typeof GATEWAYS)[number], amount: RefundAmount) {
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

  return {
    database: () => database,
    payments: () => payments,
    controlUrl: () => sandbox.controlUrl,
    environment,
    /** Starts the sandbox again, with or without what it has stored. */
    async restartSandbox({ keepsState }: { readonly keepsState: boolean }): Promise<void> {
      await stopSandbox();
      if (!keepsState) await rm(join(folder, 'sandbox'), { recursive: true });
      sandbox = await startSandbox();
    },
    /** Seeds once more, as a later start does. */
    async restart(): Promise<void> {
      await leave();
      await start();
    },
    refundPast,
  };
}

import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { newId } from '@switchyard/db';
import { order } from '@switchyard/e2e/contract';
import { type SandboxControl, sandboxControl } from '@switchyard/e2e/gateways';
import { createTestMerchant, type TestMerchant } from '@switchyard/e2e/merchants';
import type { Product } from '@switchyard/e2e/product';
import type { Resources } from '@switchyard/runtime';
import { openResources } from '@switchyard/runtime/resources';
import { type GatewayName, gatewayNames, simulators } from '@switchyard/sandbox';
import { z } from 'zod';
import { type LoadPlan, loadResultSchema, type OverloadObserved, type StreamResult } from './result.ts';

export interface OverloadOrder {
  /** Initiates, and as many webhooks. */
  readonly perSecond: number;
  readonly seconds: number;
}

const TIMES = 5;
const CONNECTIONS = 1_500;
/** Concurrency at which the process is as fast as it can be and nothing waits for long. */
const CLOSED_CONNECTIONS = 16;
const WARM_SECONDS = 4;
const MEASURED_SECONDS = 6;
const SETTLE_MS = 5_000;
const AFTER_MS = 60_000;
/** Customers and gateways who wait for longer have not been served. */
const PAYER_LIMIT_MS = 5_000;
const LIST_LIMIT_MS = 10_000;
const SEEDED_AT_ONCE = 8;
const SEED_LIMIT_MS = 30_000;
/** Lists are offered by a process of lower priority, so that the server is measured and not the generator. */
const LISTS_PRIORITY = 5;

/**
 * Measures how many lists of payments a second the product takes, offers five times as many, and measures meanwhile what becomes of
 * initiates and webhooks on new connections, and afterwards how much memory is released.
 */
export async function runOverload(
  product: Product,
  asked: OverloadOrder,
  tell: (line: string) => void,
): Promise<OverloadObserved> {
  const resources = openResources(product.environment, (error) => tell(String(error)));
  const lists = startGenerator(LISTS_PRIORITY);
  const payers = startGenerator(0);
  try {
    const merchant = await addMerchant(resources, sandboxControl(product.sandboxUrl));
    await seedPayments(product, merchant, asked.perSecond * asked.seconds);
    const plan = await preparePlan(product, merchant, resources);
    const closed = { kind: 'closed', connections: CLOSED_CONNECTIONS } as const;
    const measure = (seconds: number) =>
      run(lists, { ...plan, seconds, answerLimitMs: LIST_LIMIT_MS, streams: [{ kind: 'list', pace: closed }] });
    await measure(WARM_SECONDS);
    const [usual] = await measure(MEASURED_SECONDS);
    const takesPerSecond = (usual?.served ?? 0) / MEASURED_SECONDS;
    const offeredPerSecond = takesPerSecond * TIMES;
    tell(`  ${Math.round(takesPerSecond)} lists a second taken`);
    await pause(SETTLE_MS);
    const webId = findWeb(product);
    const before = readMemory(webId);
    const { perSecond, seconds } = asked;
    const offered = { kind: 'kept', perSecond: offeredPerSecond, connections: CONNECTIONS } as const;
    const arriving = { kind: 'new', perSecond } as const;
    tell(`  ${Math.round(offeredPerSecond)} offered, for ${seconds} s`);
    const streams = await Promise.all([
      run(payers, {
        ...plan,
        seconds,
        answerLimitMs: PAYER_LIMIT_MS,
        streams: [
          { kind: 'initiate', pace: arriving },
          { kind: 'webhook', pace: arriving },
        ],
      }),
      run(lists, { ...plan, seconds, answerLimitMs: LIST_LIMIT_MS, streams: [{ kind: 'list', pace: offered }] }),
    ]);
    const atMost = readMemory(webId);
    tell('  over; a minute of rest');
    await pause(AFTER_MS);
    const after = readMemory(webId);
    const memory =
      before === null || atMost === null || after === null
        ? null
        : { before: before.resident, peak: atMost.peak, after: after.resident };
    return { takesPerSecond, offeredPerSecond, streams: streams.flat(), memory };
  } finally {
    for (const generator of [lists, payers]) if (generator.connected) generator.disconnect();
    await resources.close();
  }
}

/** Payments that lists hold and webhooks are about. */
async function seedPayments({ webUrl }: Product, { testKey }: TestMerchant, count: number): Promise<void> {
  let left = count;
  const repeat = async () => {
    while (left > 0) {
      left -= 1;
      const answer = await fetch(`${webUrl}/v1/payments/initiate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(order()),
        signal: AbortSignal.timeout(SEED_LIMIT_MS),
      });
      if (!answer.ok) throw new Error(`a payment could not be made: ${answer.status} ${await answer.text()}`);
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: SEEDED_AT_ONCE }, repeat));
}

async function preparePlan(
  { webUrl }: Product,
  { merchantId, testKey, accounts, gatewayKeys }: TestMerchant,
  { database }: Resources,
): Promise<Pick<LoadPlan, 'host' | 'port' | 'key' | 'webhooks'>> {
  const { rows } = await database.pool.query<{ reference: string }>(
    'SELECT reference FROM attempt WHERE merchant_id = $1 AND account_id = $2 ORDER BY created_at',
    [merchantId, accounts.paystack],
  );
  const webhooks = {
    path: `/webhooks/paystack/${accounts.paystack}`,
    secret: gatewayKeys.paystack.secretKey ?? '',
    references: rows.map(({ reference }) => reference),
  };
  return { host: '127.0.0.1', port: Number(new URL(webUrl).port), key: testKey, webhooks };
}

function startGenerator(priority: number): ChildProcess {
  return fork(fileURLToPath(new URL('./load-main.ts', import.meta.url)), [String(priority)]);
}

function run(generator: ChildProcess, plan: LoadPlan): Promise<StreamResult[]> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: unknown): void => {
      generator.off('exit', onExit);
      resolve(loadResultSchema.parse(message));
    };
    const onExit = (code: number | null): void => {
      generator.off('message', onMessage);
      reject(new Error(`the load generator has ended (${code})`));
    };
    generator.once('message', onMessage);
    generator.once('exit', onExit);
    generator.send(plan);
  });
}

/** The process that runs in `apps/web`; null where the system does not tell. */
function findWeb({ processIds }: Product): number | null {
  const isWeb = (pid: number): boolean => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`).endsWith('/apps/web');
    } catch {
      return false;
    }
  };
  return processIds.find(isWeb) ?? null;
}

/** Bytes that are resident now, and that were at most; null where the system does not tell. */
function readMemory(pid: number | null): { readonly resident: number; readonly peak: number } | null {
  if (pid === null) return null;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1_024;
  return { resident: field('VmRSS'), peak: field('VmHWM') };
}

/** Adds a merchant with accounts at the sandbox's gateways to a running product. */
async function addMerchant(resources: Resources, control: SandboxControl): Promise<TestMerchant> {
  const context = { resources, now: () => new Date(), newId };
  const { gateways: running } = healthSchema.parse(await control('GET', 'health'));
  const gateways = {
    baseUrlOf: (gateway: GatewayName) => `${running[gateway].url}${simulators[gateway].apiPath}`,
    register: async (gateway: GatewayName, account: object) => {
      await control('PUT', `${gateway}/keys`, account);
    },
  };
  return createTestMerchant(context, gateways, [], {});
}

const healthSchema = z.object({ gateways: z.record(z.enum(gatewayNames), z.object({ url: z.string() })) });

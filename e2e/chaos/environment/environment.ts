import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSwitchyard } from '@switchyard/api/process';
import { migrateJobs } from '@switchyard/db';
import type { MerchantsContext } from '@switchyard/merchants';
import { updateMerchant } from '@switchyard/merchants/console';
import { createEndpoint } from '@switchyard/webhooks/endpoints';
import { createTestMerchant } from '../../harness/merchants.ts';
import type { ChaosMerchant } from '../drive/merchant-client.ts';
import type { Plan } from '../plan/plan.ts';
import { type RunClock, runClock } from './clock.ts';
import { type FaultProxy, openFaultProxy } from './fault-proxy.ts';
import { type ManagedProcess, startManagedProcess } from './managed-process.ts';
import { type MerchantServers, openMerchantServers } from './merchant-servers.ts';
import { type RestartablePostgres, startRestartablePostgres } from './postgres.ts';
import { openRecords, type Records } from './records.ts';
import { type Replicas, replicasOf } from './replicas.ts';
import { type Simulators, startSimulators } from './simulators.ts';

/** The environment of a run: real processes, a real database, gateways' simulators, and merchants with servers of their own. */
export interface Environment {
  readonly clock: RunClock;
  readonly postgres: RestartablePostgres;
  readonly records: Records;
  readonly webs: readonly ManagedProcess[];
  readonly workers: readonly ManagedProcess[];
  readonly replicas: Replicas;
  readonly simulators: Simulators;
  readonly faultProxy: FaultProxy;
  readonly servers: MerchantServers;
  readonly merchants: readonly ChaosMerchant[];
  /** How many addresses merchants' events go to. */
  readonly endpoints: number;
  close(): Promise<void>;
}

const WEBS = 2;
const WORKERS = 2;

/** Starts the environment, with logs in a folder. */
export async function startEnvironment(plan: Plan, folder: string): Promise<Environment> {
  const closing: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const each of closing.splice(0).reverse()) await each();
  };
  try {
    return { ...(await build(plan, folder, closing)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function build(plan: Plan, folder: string, closing: (() => Promise<void>)[]): Promise<Omit<Environment, 'close'>> {
  const closeLater = <T extends { close(): Promise<void> }>(thing: T): T => {
    closing.push(() => thing.close());
    return thing;
  };
  const clockFile = join(folder, 'clock.json');
  const clock = runClock(clockFile);
  const postgres = closeLater(await startRestartablePostgres(join(folder, 'postgres.log')));
  const simulators = closeLater(await startSimulators(clock));
  let replicas: Replicas = replicasOf([]);
  const faultProxy = closeLater(await openFaultProxy(plan.seed, () => replicas));
  const servers = closeLater(await openMerchantServers(plan.seed, clock));
  const environment = {
    DATABASE_URL: postgres.url,
    SWITCHYARD_PUBLIC_URL: faultProxy.url,
    SWITCHYARD_ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    SWITCHYARD_KEY_PEPPER: randomBytes(32).toString('base64'),
    SWITCHYARD_REQUESTS_PER_SECOND: '100000',
    LOG_LEVEL: 'warn',
    NODE_COMPILE_CACHE: join(folder, 'compile-cache'),
  };
  const { merchants, endpoints } = await createMerchants(plan, environment, simulators, servers, folder);
  const records = closeLater(await openRecords(postgres.url));
  const env = { ...process.env, ...environment, CHAOS_CLOCK: clockFile, NODE_ENV: 'production' };
  const start = async (name: string, program: 'web-main.ts' | 'worker-main.ts'): Promise<ManagedProcess> =>
    closeLater(await startManagedProcess({ name, program, env, log: join(folder, `${name}.log`) }));
  const webs = await Promise.all(Array.from({ length: WEBS }, (_, at) => start(`web-${at + 1}`, 'web-main.ts')));
  const workers = await Promise.all(Array.from({ length: WORKERS }, (_, at) => start(`worker-${at + 1}`, 'worker-main.ts')));
  replicas = replicasOf(webs);
  return { clock, postgres, records, webs, workers, replicas, simulators, faultProxy, servers, merchants, endpoints };
}

/** Merchants with keys, accounts, rules and endpoints, created by the product's own use cases. */
async function createMerchants(
  plan: Plan,
  environment: Readonly<Record<string, string>>,
  simulators: Simulators,
  servers: MerchantServers,
  folder: string,
): Promise<{ merchants: ChaosMerchant[]; endpoints: number }> {
  const switchyard = openSwitchyard(environment, { write: (line) => appendFileSync(join(folder, 'setup.log'), line) });
  try {
    await migrateJobs(switchyard.resources.database);
    const merchants: ChaosMerchant[] = [];
    let endpoints = 0;
    for (const { first, sessionMinutes, refundDuplicates, endpoints: count } of plan.merchants) {
      const order = first === 'paystack' ? (['paystack', 'flutterwave'] as const) : (['flutterwave', 'paystack'] as const);
      const { merchantId, testKey } = await createTestMerchant(switchyard, simulators, [], { order });
      const changes = { sessionMinutes, refundDuplicates };
      await updateMerchant(switchyard.merchants, { merchantId, changes, actor: 'system:chaos' });
      for (let n = 0; n < count; n += 1) await addEndpoint(switchyard.merchants, servers, merchantId, endpoints++);
      merchants.push({ merchantId, key: testKey });
    }
    return { merchants, endpoints };
  } finally {
    await switchyard.close();
  }
}

async function addEndpoint(context: MerchantsContext, servers: MerchantServers, merchantId: string, slot: number): Promise<void> {
  const settings = { url: servers.address(slot), description: '', types: [] };
  const outcome = await createEndpoint(context, { ...settings, merchantId, mode: 'test', actor: 'system:chaos' });
  if (outcome.kind !== 'created') throw new Error(`an endpoint could not be created: ${JSON.stringify(outcome)}`);
  servers.expect(slot, { merchantId, endpointId: outcome.endpoint.id, secret: outcome.secret });
}

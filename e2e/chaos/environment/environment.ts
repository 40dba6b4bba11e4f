import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSwitchyard } from '@switchyard/api/process';
import { migrateJobs } from '@switchyard/db';
import { updateMerchant } from '@switchyard/merchants/console';
import { createEndpoint } from '@switchyard/webhooks/endpoints';
import { PAIR } from '../../harness/gateways.ts';
import { createTestMerchant } from '../../harness/merchants.ts';
import type { Plan } from '../plan/plan.ts';
import { runClock } from './clock.ts';
import { openFaultProxy } from './fault-proxy.ts';
import { ManagedProcess } from './managed-process.ts';
import { type MerchantServers, openMerchantServers } from './merchant-servers.ts';
import { startRestartablePostgres } from './postgres.ts';
import { openRecords } from './records.ts';
import { sendInTurn } from './replicas.ts';
import { type Simulators, startSimulators } from './simulators.ts';

/** A merchant of the run, with its API key. */
export interface ChaosMerchant {
  readonly merchantId: string;
  readonly key: string;
}

/** The environment of a run: real processes, a real database, gateways' simulators, and merchants with servers of their own. */
export type Environment = Awaited<ReturnType<typeof startEnvironment>>;

const REPLICAS = [1, 2];
const ACTOR = 'system:chaos';

/** Starts the environment, with logs in a folder; what it started by then is closed with `closing`, whether it succeeds or not. */
export async function startEnvironment(plan: Plan, folder: string, closing: AsyncDisposableStack) {
  const closeLater = <T extends { close(): Promise<void> }>(thing: T): T => closing.adopt(thing, () => thing.close());
  const clockFile = join(folder, 'clock.json');
  const clock = runClock(clockFile);
  const postgres = closeLater(await startRestartablePostgres(join(folder, 'postgres.log')));
  const simulators = closeLater(await startSimulators(clock));
  const webs: ManagedProcess[] = [];
  const send = sendInTurn(webs);
  const faultProxy = closeLater(await openFaultProxy(plan.seed, send));
  const servers = closeLater(await openMerchantServers(plan.seed, clock));
  const environment = {
    DATABASE_URL: postgres.url,
    SWITCHYARD_PUBLIC_URL: faultProxy.url,
    SWITCHYARD_ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    SWITCHYARD_KEY_PEPPER: randomBytes(32).toString('base64'),
    SWITCHYARD_REQUESTS_PER_SECOND: '100000',
    LOG_LEVEL: 'warn',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(folder, 'compile-cache'),
  };
  const merchants = await createMerchants(plan, environment, simulators, servers, folder);
  const records = closeLater(await openRecords(postgres.url));
  const env = { ...process.env, ...environment, CHAOS_CLOCK: clockFile, NODE_ENV: 'production' };
  const start = (name: string, program: 'web-main.ts' | 'worker-main.ts'): ManagedProcess =>
    closeLater(new ManagedProcess(name, program, env, join(folder, `${name}.log`)));
  webs.push(...REPLICAS.map((number) => start(`web-${number}`, 'web-main.ts')));
  const workers = REPLICAS.map((number) => start(`worker-${number}`, 'worker-main.ts'));
  await Promise.all([...webs, ...workers].map((each) => each.ready()));
  return { clock, postgres, records, webs, workers, send, simulators, faultProxy, servers, merchants };
}

/** Merchants with keys, accounts, rules and endpoints, created by the product's own use cases. */
export async function createMerchants(
  plan: Pick<Plan, 'merchants'>,
  environment: Readonly<Record<string, string>>,
  simulators: Pick<Simulators, 'baseUrlOf' | 'register'>,
  servers: Pick<MerchantServers, 'nextUrl' | 'receive'>,
  folder: string,
): Promise<ChaosMerchant[]> {
  const switchyard = openSwitchyard(environment, { write: (line) => appendFileSync(join(folder, 'setup.log'), line) });
  try {
    await migrateJobs(switchyard.resources.database);
    const merchants: ChaosMerchant[] = [];
    for (const { first, sessionMinutes, refundDuplicates, endpoints } of plan.merchants) {
      const order = [first, ...PAIR.filter((gateway) => gateway !== first)] as const;
      const { merchantId, testKey } = await createTestMerchant(switchyard, simulators, [], { order });
      const changes = { sessionMinutes, refundDuplicates };
      await updateMerchant(switchyard.merchants, { merchantId, changes, actor: ACTOR });
      for (let n = 0; n < endpoints; n += 1) {
        const settings = { url: servers.nextUrl(), description: '', types: [], merchantId, mode: 'test', actor: ACTOR } as const;
        const outcome = await createEndpoint(switchyard.merchants, settings);
        if (outcome.kind !== 'created') throw new Error(`an endpoint could not be created: ${JSON.stringify(outcome)}`);
        servers.receive({ merchantId, endpointId: outcome.endpoint.id, secret: outcome.secret });
      }
      merchants.push({ merchantId, key: testKey });
    }
    return merchants;
  } finally {
    await switchyard.close();
  }
}

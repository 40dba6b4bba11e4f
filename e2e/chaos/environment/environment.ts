import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawMerchants, gatewaysOf, itemsAt, MERCHANTS } from '../../world/plan/plan.ts';
import { createMerchants } from '../../world/servers/create-merchants.ts';
import { openWorld } from '../../world/servers/open-world.ts';
import { RunClock } from './clock.ts';
import { openRunDatabase } from './database.ts';
import { ManagedProcess } from './managed-process.ts';
import { startRestartablePostgres } from './postgres.ts';

/** Environment of a run: real processes, a real database server, and a world of gateways and merchants around them. */
export type Environment = Awaited<ReturnType<typeof startEnvironment>>;

const REPLICAS = [1, 2];

/** Starts the environment, with logs in a folder; what it started by then is closed with `closing`, whether it succeeds or not. */
export async function startEnvironment(seed: number, folder: string, closing: AsyncDisposableStack) {
  const closeLater = <T extends { close(): Promise<void> }>(thing: T): T => closing.adopt(thing, () => thing.close());
  const clock = new RunClock();
  const postgres = closeLater(await startRestartablePostgres(join(folder, 'postgres.log')));
  const webs: ManagedProcess[] = [];
  const plans = itemsAt(MERCHANTS, drawMerchants(seed));
  const world = closeLater(await openWorld(seed, webs, () => clock.now(), { gateways: gatewaysOf(plans) }));
  const environment = {
    DATABASE_URL: postgres.url,
    SWITCHYARD_PUBLIC_URL: world.proxy.url,
    SWITCHYARD_ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    SWITCHYARD_KEY_PEPPER: randomBytes(32).toString('base64'),
    SWITCHYARD_PRIVATE_ADDRESSES: 'allow',
    SWITCHYARD_REQUESTS_PER_SECOND: '100000',
    LOG_LEVEL: 'warn',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(folder, 'compile-cache'),
  };
  const write = (line: string): void => appendFileSync(join(folder, 'setup.log'), line);
  const merchants = await createMerchants(plans, environment, world.simulators, world.servers, write);
  const database = closeLater(await openRunDatabase(postgres.url));
  const start = (name: string, program: 'web-main.ts' | 'worker-main.ts'): ManagedProcess => {
    const present = () => ({ ...process.env, ...environment, CHAOS_CLOCK: JSON.stringify(clock.state), NODE_ENV: 'production' });
    return closeLater(new ManagedProcess(name, program, present, join(folder, `${name}.log`)));
  };
  webs.push(...REPLICAS.map((number) => start(`web-${number}`, 'web-main.ts')));
  const workers = REPLICAS.map((number) => start(`worker-${number}`, 'worker-main.ts'));
  return { clock, postgres, database, world, merchants, webs, workers, processes: [...webs, ...workers] };
}

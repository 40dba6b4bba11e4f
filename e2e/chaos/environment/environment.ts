import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '@switchyard/db/process';
import { z } from 'zod';
import { OBSERVATION_TRIGGERS } from '../../world/checker/read-rows.ts';
import { drawMerchants, gatewaysOf, itemsAt, MERCHANTS } from '../../world/plan/plan.ts';
import { createMerchants } from '../../world/servers/create-merchants.ts';
import { openWorld } from '../../world/servers/open-world.ts';
import { RunClock } from './clock.ts';
import { ManagedProcess, startRestartablePostgres } from './managed-process.ts';

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

/** Our database, from outside the product. */
export interface RunDatabase {
  /** Runs a statement, and retries while the database is unavailable. */
  query(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** How many items of each kind are due at a time of the run's clock. */
  due(now: number): Promise<Readonly<Record<string, number>>>;
  /** Ages rows that go by the database's clock, once no call that sends a refund can be under way. */
  age(milliseconds: number): Promise<void>;
  cutConnections(): Promise<void>;
  close(): Promise<void>;
}

const DUE = `
SELECT (SELECT count(*) FROM payment JOIN payment_check AS due ON due.merchant_id = payment.merchant_id AND payment_id = id
    WHERE next_check_at <= CASE WHEN initiating THEN now() ELSE $1::timestamptz END)::int AS payments,
  (SELECT count(*) FROM refund WHERE state IN ('REQUESTED', 'PROCESSING') AND next_check_at <= $1)::int AS refunds,
  (SELECT count(*) FROM webhook_delivery WHERE state = 'PENDING' AND next_attempt_at <= $1)::int AS deliveries,
  (SELECT count(*) FROM webhook_follow_up WHERE due_at <= $1)::int AS webhooks,
  (SELECT count(*) FROM graphile_worker._private_jobs AS job JOIN graphile_worker._private_tasks AS task ON task.id = task_id
    WHERE key IS DISTINCT FROM identifier AND attempts < max_attempts AND run_at <= now())::int AS jobs`;

/** Refunds without a gateway's answer that were sent so lately that their call may not have ended. */
const REFUND_CALLS = `
SELECT count(*)::int AS calls FROM refund
WHERE state = 'PROCESSING' AND gateway_refund_id IS NULL AND sent_at >= now() - interval '20 seconds'`;

/** Locked jobs are aged only if their worker has been silent for longer than while it lives. */
const AGE = [
  'UPDATE payment_check SET next_check_at = next_check_at - $1::interval WHERE initiating',
  'UPDATE refund SET sent_at = sent_at - $1::interval',
  'UPDATE graphile_worker._private_jobs SET run_at = run_at - $1::interval WHERE locked_at IS NULL',
  `WITH gone AS (
     UPDATE job_pool SET seen_at = seen_at - $1::interval WHERE seen_at < now() - interval '8 seconds' RETURNING pool_id)
   UPDATE graphile_worker._private_jobs SET locked_at = locked_at - $1::interval
   WHERE locked_by IN (SELECT pool_id FROM gone) OR (locked_by IS NOT NULL AND locked_by NOT IN (SELECT pool_id FROM job_pool))`,
] as const;

const CUT =
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'switchyard' AND pid <> pg_backend_pid()";

const TRIES_MAX = 200;
const RETRY_DELAY_MS = 100;
/** Classes of errors that a statement gets however often it is tried. */
const LASTING = /^(22|23|42)/;

const countsSchema = z.record(z.string(), z.int());

/** Connects to the database, and adds the triggers that note what happens in it. */
async function openRunDatabase(url: string): Promise<RunDatabase> {
  const database = openDatabase({ url, maxConnections: 6 });
  await database.pool.query(OBSERVATION_TRIGGERS);

  async function query(text: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> {
    for (let n = 0; ; n += 1) {
      try {
        return (await database.pool.query<Record<string, unknown>>(text, [...values])).rows;
      } catch (error) {
        if (n >= TRIES_MAX || (error instanceof Error && 'code' in error && LASTING.test(String(error.code)))) throw error;
        await pause(RETRY_DELAY_MS);
      }
    }
  }

  async function counts(text: string, values: readonly unknown[] = []): Promise<Readonly<Record<string, number>>> {
    const [row] = await query(text, values);
    return countsSchema.parse(row);
  }

  return {
    query,
    due: (now) => counts(DUE, [new Date(now)]),
    async age(milliseconds) {
      while (((await counts(REFUND_CALLS)).calls ?? 0) > 0) await pause(RETRY_DELAY_MS);
      for (const text of AGE) await query(text, [`${milliseconds} milliseconds`]);
    },
    async cutConnections() {
      await query(CUT);
    },
    close: () => database.close(),
  };
}

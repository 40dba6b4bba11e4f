import { batched } from './batch-statements.ts';
import type { Database } from './connect.ts';
import type { Prisma } from './generated/client.ts';
import type { Hint, Jobs } from './job-payloads.ts';

/**
 * Queues a job inside the caller's transaction, for what no row says by itself. Jobs of the same key that have not begun are one job; those
 * of the same queue run one after the other. With `keepsJob`, a job of the same key stays as it is even where it has begun: another would
 * take its place, and where its process died it would never run again.
 */
export async function enqueueJob<Name extends keyof Jobs>(
  transaction: Prisma.TransactionClient,
  name: Name,
  payload: Jobs[Name],
  options: { key?: string; runAt?: Date; queue?: string; keepsJob?: boolean } = {},
): Promise<void> {
  await transaction.$executeRaw`SELECT graphile_worker.add_job(
    ${name}::text, payload := ${JSON.stringify(payload)}::json, job_key := ${options.key ?? null}::text,
    run_at := ${options.runAt ?? null}::timestamptz, queue_name := ${options.queue ?? null}::text,
    job_key_mode := ${options.keepsJob === true ? 'unsafe_dedupe' : 'replace'}::text)`;
}

/** Queues several jobs of one kind by one statement, in the transaction. */
export async function enqueueJobs<Name extends keyof Jobs>(
  transaction: Prisma.TransactionClient,
  name: Name,
  jobs: readonly { readonly payload: Jobs[Name]; readonly key: string }[],
): Promise<void> {
  await transaction.$executeRaw`
    SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(
      SELECT (${name}::text, payload, NULL, NULL, NULL, key, NULL, NULL)::graphile_worker.job_spec
      FROM json_to_recordset(${JSON.stringify(jobs)}::json) AS input (payload json, key text)))`;
}

/** Hints may be lost, so their commit does not wait for the disk. */
const GIVE_HINTS = `
SELECT set_config('synchronous_commit', 'off', true), (SELECT count(pg_notify('work', wake)) FROM unnest($1::text[]) AS wake),
  CASE WHEN $2 <> '[]' THEN (SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(
    SELECT (name, payload, NULL, NULL, NULL, key, NULL, NULL)::graphile_worker.job_spec
    FROM json_to_recordset($2::json) AS input (name text, payload json, key text)))) END`;

// Every worker that listens is woken, and claims what is due: of several, all but one find nothing. A job for one of them alone would be
// three writes, and as many looks for jobs as there are free workers.
const giveHints = batched<readonly Hint[], void>({
  async run({ batches }, hints) {
    const { job = [], wake = [] } = Object.groupBy(hints.flat(), ({ name }) => (name === 'send-refund' ? 'job' : 'wake'));
    const wakes = new Set(wake.map((one) => JSON.stringify(one)));
    const values = [[...wakes], JSON.stringify(job)];
    await batches.query({ name: 'give-hints', text: GIVE_HINTS, values });
    return hints.map(() => undefined);
  },
});

/**
 * Has workers look at once at rows that are committed and say themselves what is to be done. A hint that this process takes
 * ({@link Database.takeHint}) goes to no worker. Returns before the others are given; what is lost is found by workers that look through the rows.
 */
export function hintWorkers(database: Database, all: readonly Hint[]): void {
  const hints = all.filter((hint) => database.takeHint?.(hint) !== true);
  if (hints.length === 0) return;
  const others = giving.get(database) ?? new Set();
  giving.set(database, others);
  const given = giveHints(database, hints)
    .catch(() => undefined)
    .finally(() => others.delete(given));
  others.add(given);
}

const giving = new WeakMap<Database, Set<Promise<void>>>();

/** Resolves when the hints of {@link hintWorkers} so far are given, or could not be. */
export async function untilHintsGiven(database: Database): Promise<void> {
  await Promise.all(giving.get(database) ?? []);
}

const HINTS_OF = new WeakMap<Prisma.TransactionClient, Hint[]>();

/** Runs a transaction, and gives the hints that it asked for by {@link hintAfterCommit} once it is committed. */
export async function transactWithHints<Result>(
  database: Database,
  work: (transaction: Prisma.TransactionClient) => Promise<Result>,
  /** Milliseconds that it may take; the client's own where it is left out. */
  options: { readonly timeout?: number } = {},
): Promise<Result> {
  const hints: Hint[] = [];
  const result = await database.prisma.$transaction((transaction) => {
    HINTS_OF.set(transaction, hints);
    return work(transaction);
  }, options);
  hintWorkers(database, hints);
  return result;
}

/** Gives hints after the commit of a transaction of {@link transactWithHints}, as {@link hintWorkers} does. */
export function hintAfterCommit(transaction: Prisma.TransactionClient, hints: readonly Hint[]): void {
  const after = HINTS_OF.get(transaction);
  if (after === undefined) throw new Error('a transaction that gives hints after its commit was begun without transactWithHints');
  after.push(...hints);
}

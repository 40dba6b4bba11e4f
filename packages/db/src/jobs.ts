import { batched } from './batch-statements.ts';
import type { Database } from './connect.ts';
import type { Prisma } from './generated/client.ts';
import type { JobHint, Jobs } from './job-payloads.ts';

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

/** Hints may be lost, so their commit does not wait for the disk. */
const ADD_HINTS = `
SELECT set_config('synchronous_commit', 'off', true), (SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(
  SELECT (name, payload, NULL, NULL, NULL, key, NULL, NULL)::graphile_worker.job_spec
  FROM json_to_recordset($1) AS input (name text, payload json, key text))))`;

const addHints = batched<readonly JobHint[], void>({
  async run({ batches }, hints) {
    const distinct = new Map(hints.flat().map((hint) => [JSON.stringify(hint), hint]));
    await batches.query({ name: 'add-job-hints', text: ADD_HINTS, values: [`[${[...distinct.keys()].join()}]`] });
    return hints.map(() => undefined);
  },
});

/**
 * Adds jobs for rows that are committed and say themselves what is to be done: a job only makes it happen at once. A hint that this process
 * takes ({@link Database.takeHint}) is none. Returns before jobs are there; what could not be added is found by workers that look through the rows.
 */
export function hintJobs(database: Database, all: readonly JobHint[]): void {
  const hints = all.filter((hint) => database.takeHint?.(hint) !== true);
  if (hints.length === 0) return;
  const others = adding.get(database) ?? new Set();
  adding.set(database, others);
  const added = addHints(database, hints)
    .catch(() => undefined)
    .finally(() => others.delete(added));
  others.add(added);
}

const adding = new WeakMap<Database, Set<Promise<void>>>();

/** Resolves when the jobs of {@link hintJobs} so far are there, or could not be added. */
export async function untilHintsAdded(database: Database): Promise<void> {
  await Promise.all(adding.get(database) ?? []);
}

const HINTS_OF = new WeakMap<Prisma.TransactionClient, JobHint[]>();

/** Runs a transaction, and adds the jobs that it asked for by {@link hintAfterCommit} once it is committed. */
export async function transactWithHints<Result>(
  database: Database,
  work: (transaction: Prisma.TransactionClient) => Promise<Result>,
  /** Milliseconds that it may take; the client's own where it is left out. */
  options: { readonly timeout?: number } = {},
): Promise<Result> {
  const hints: JobHint[] = [];
  const result = await database.prisma.$transaction((transaction) => {
    HINTS_OF.set(transaction, hints);
    return work(transaction);
  }, options);
  hintJobs(database, hints);
  return result;
}

/** Adds jobs after the commit of a transaction of {@link transactWithHints}, as {@link hintJobs} does. */
export function hintAfterCommit(transaction: Prisma.TransactionClient, hints: readonly JobHint[]): void {
  const after = HINTS_OF.get(transaction);
  if (after === undefined) throw new Error('a transaction that adds jobs after its commit was begun without transactWithHints');
  after.push(...hints);
}

import type { Database } from '@switchyard/db';

/** Counts of one account and method in one step of time, all processes together. */
export interface HealthStep {
  readonly merchantId: string;
  readonly accountId: string;
  /** `*` for all methods together. */
  readonly method: string;
  /** Beginning of the step. */
  readonly at: Date;
  /** Openings of checkouts that succeeded, and that failed by the provider's own fault. */
  readonly succeeded: number;
  readonly faulted: number;
  /** Faults by kind, where it is known. */
  readonly timedOut: number;
  readonly refused: number;
  readonly serverError: number;
  readonly rateLimited: number;
  readonly malformed: number;
  /** Milliseconds of all openings that succeeded together. */
  readonly latencyMsSum: number;
  /** Look-ups of payments and idle probes. */
  readonly lookupsAnswered: number;
  readonly lookupsFailed: number;
}

/** Selects counts of gateway accounts, summed by step. */
export interface HealthHistoryQuery {
  readonly accountIds: readonly string[];
  readonly merchantIds: readonly string[];
  /** Inclusive. */
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
  /** Length of a step, a multiple of ten seconds. */
  readonly stepMs: number;
}

const READ = `
SELECT merchant_id AS "merchantId", account_id AS "accountId", method,
  date_bin($5 * interval '1 millisecond', bucket_at, timestamptz 'epoch') AS at, sum(succeeded)::int AS succeeded,
  sum(faulted)::int AS faulted, sum(timed_out)::int AS "timedOut", sum(refused)::int AS refused,
  sum(server_error)::int AS "serverError", sum(rate_limited)::int AS "rateLimited", sum(malformed)::int AS malformed,
  sum(latency_ms_sum)::float8 AS "latencyMsSum", sum(lookups_answered)::int AS "lookupsAnswered",
  sum(lookups_failed)::int AS "lookupsFailed"
FROM health_bucket
WHERE merchant_id = ANY ($1::uuid[]) AND account_id = ANY ($2::uuid[]) AND bucket_at >= $3 AND bucket_at < $4
GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4 LIMIT $6`;

/** Counts per account, method and step of time, oldest first within each; steps without any are left out. At most `limit`. */
export async function readHealthHistory(database: Database, query: HealthHistoryQuery, limit: number): Promise<HealthStep[]> {
  const { merchantIds, accountIds, from, to, stepMs } = query;
  const { rows } = await database.pool.query<HealthStep>(READ, [merchantIds, accountIds, from, to, stepMs, limit]);
  return rows;
}

/** Process id of merged counts. */
const MERGED = '00000000-0000-0000-0000-000000000000';
/** How far back merging looks for unmerged counts; older ones stay until they are deleted. */
const MERGE_REACH = '2 hours';

const MERGE = `
WITH fine AS (
  DELETE FROM health_bucket
  WHERE bucket_at < $1 AND bucket_at >= $1::timestamptz - interval '${MERGE_REACH}' AND process_id <> '${MERGED}'
  RETURNING *)
INSERT INTO health_bucket AS bucket (process_id, merchant_id, account_id, method, bucket_at, succeeded, faulted, paid,
  unpaid, timed_out, refused, server_error, rate_limited, malformed, latency_ms_sum, lookups_answered, lookups_failed)
SELECT '${MERGED}', merchant_id, account_id, method, date_bin('1 minute', bucket_at, timestamptz 'epoch'), sum(succeeded),
  sum(faulted), sum(paid), sum(unpaid), sum(timed_out), sum(refused), sum(server_error), sum(rate_limited), sum(malformed),
  sum(latency_ms_sum), sum(lookups_answered), sum(lookups_failed)
FROM fine GROUP BY 2, 3, 4, 5
ON CONFLICT (merchant_id, account_id, method, bucket_at, process_id) DO UPDATE SET
  succeeded = bucket.succeeded + excluded.succeeded, faulted = bucket.faulted + excluded.faulted,
  paid = bucket.paid + excluded.paid, unpaid = bucket.unpaid + excluded.unpaid,
  timed_out = bucket.timed_out + excluded.timed_out, refused = bucket.refused + excluded.refused,
  server_error = bucket.server_error + excluded.server_error, rate_limited = bucket.rate_limited + excluded.rate_limited,
  malformed = bucket.malformed + excluded.malformed, latency_ms_sum = bucket.latency_ms_sum + excluded.latency_ms_sum,
  lookups_answered = bucket.lookups_answered + excluded.lookups_answered,
  lookups_failed = bucket.lookups_failed + excluded.lookups_failed`;

/** Merges all processes' counts from before a time into one row per minute; totals are unchanged. */
export async function mergeHealthCounts(database: Database, before: Date): Promise<void> {
  await database.pool.query(MERGE, [before]);
}

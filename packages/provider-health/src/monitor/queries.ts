import type { Database } from '@switchyard/db';
import type { HealthEvent, HealthStatus } from '@switchyard/db/client';
import type { StoredHealthReason } from '@switchyard/routing';

/** Counts of one account and method in one bucket of time. `method` is `*` where none was given. */
export interface HealthCounts {
  readonly merchantId: string;
  readonly accountId: string;
  readonly method: string;
  /** Beginning of the bucket. */
  readonly bucketAt: Date;
  /** Openings of checkouts that succeeded. */
  readonly succeeded: number;
  /** Openings that failed by the provider's own fault. */
  readonly faulted: number;
  /** Payments that ended paid, and that ended unpaid. */
  readonly paid: number;
  readonly unpaid: number;
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

const ADD = `
INSERT INTO health_bucket AS bucket (process_id, merchant_id, account_id, method, bucket_at, succeeded, faulted, paid,
  unpaid, timed_out, refused, server_error, rate_limited, malformed, latency_ms_sum, lookups_answered, lookups_failed)
SELECT $1, * FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::int[], $7::int[], $8::int[], $9::int[],
  $10::int[], $11::int[], $12::int[], $13::int[], $14::int[], $15::bigint[], $16::int[], $17::int[])
ON CONFLICT (merchant_id, account_id, method, bucket_at, process_id) DO UPDATE SET
  succeeded = bucket.succeeded + excluded.succeeded, faulted = bucket.faulted + excluded.faulted,
  paid = bucket.paid + excluded.paid, unpaid = bucket.unpaid + excluded.unpaid,
  timed_out = bucket.timed_out + excluded.timed_out, refused = bucket.refused + excluded.refused,
  server_error = bucket.server_error + excluded.server_error, rate_limited = bucket.rate_limited + excluded.rate_limited,
  malformed = bucket.malformed + excluded.malformed, latency_ms_sum = bucket.latency_ms_sum + excluded.latency_ms_sum,
  lookups_answered = bucket.lookups_answered + excluded.lookups_answered,
  lookups_failed = bucket.lookups_failed + excluded.lookups_failed`;

/** Adds one process's counts to the shared ones. `rows` has each account, method and bucket once. */
export async function addHealthCounts(database: Database, processId: string, rows: readonly HealthCounts[]): Promise<void> {
  if (rows.length === 0) return;
  const column = <Name extends keyof HealthCounts>(name: Name) => rows.map((row) => row[name]);
  await database.pool.query({
    name: 'add-health-counts',
    text: ADD,
    values: [
      processId,
      column('merchantId'),
      column('accountId'),
      column('method'),
      column('bucketAt'),
      column('succeeded'),
      column('faulted'),
      column('paid'),
      column('unpaid'),
      column('timedOut'),
      column('refused'),
      column('serverError'),
      column('rateLimited'),
      column('malformed'),
      column('latencyMsSum').map(Math.round),
      column('lookupsAnswered'),
      column('lookupsFailed'),
    ],
  });
}

const READ = `
SELECT merchant_id AS "merchantId", account_id AS "accountId", method, bucket_at AS "bucketAt", sum(succeeded)::int AS succeeded,
  sum(faulted)::int AS faulted, sum(paid)::int AS paid, sum(unpaid)::int AS unpaid, sum(timed_out)::int AS "timedOut",
  sum(refused)::int AS refused, sum(server_error)::int AS "serverError", sum(rate_limited)::int AS "rateLimited",
  sum(malformed)::int AS malformed, sum(latency_ms_sum)::float8 AS "latencyMsSum",
  sum(lookups_answered)::int AS "lookupsAnswered", sum(lookups_failed)::int AS "lookupsFailed"
FROM health_bucket WHERE bucket_at >= $1
GROUP BY merchant_id, account_id, method, bucket_at`;

/** All processes' counts since a time, added up. */
export async function readHealthCounts(database: Database, since: Date): Promise<HealthCounts[]> {
  const { rows } = await database.pool.query<HealthCounts>({ name: 'read-health-counts', text: READ, values: [since] });
  return rows;
}

const CONVERSIONS = `
SELECT account_id AS "accountId", method, sum(paid)::int AS paid, sum(unpaid)::int AS unpaid
FROM health_bucket WHERE bucket_at >= $1
GROUP BY account_id, method HAVING sum(paid) + sum(unpaid) > 0`;

/** How many payments ended paid and unpaid since a time, per account and method. */
export async function readConversions(
  database: Database,
  since: Date,
): Promise<{ accountId: string; method: string; paid: number; unpaid: number }[]> {
  const { rows } = await database.pool.query({ name: 'read-conversions', text: CONVERSIONS, values: [since] });
  return rows;
}

const STATUSES_MAX = 1_000_000;

/** The health all processes route by. */
export function readHealthStatuses(database: Database): Promise<HealthStatus[]> {
  return database.prisma.healthStatus.findMany({ take: STATUSES_MAX });
}

/** An account's new health, with the facts that explain its state. */
export interface HealthChange extends Omit<HealthStatus, 'why' | 'version' | 'updatedAt' | 'probePercent'> {
  readonly why: StoredHealthReason;
  /** The entry in the feed; null where the state did not change. */
  readonly event: {
    readonly eventId: string;
    readonly fromState: string | null;
    /** Figures behind the change. */
    readonly detail: HealthEvent['detail'];
  } | null;
}

/**
 * Writes an account's health and its entry in the feed, in one transaction. False when another process was first: its change
 * remains and nothing is written. `version` is the stored version the change is based on, 0 for the first.
 */
export async function changeHealth(database: Database, change: HealthChange, version: number, now: Date): Promise<boolean> {
  const { event, merchantId, accountId, method, ...status } = change;
  return database.prisma.$transaction(async (transaction) => {
    const data = { ...status, version: version + 1, updatedAt: now };
    const { count } =
      version === 0
        ? await transaction.healthStatus.createMany({ data: [{ merchantId, accountId, method, ...data }], skipDuplicates: true })
        : await transaction.healthStatus.updateMany({ where: { merchantId, accountId, method, version }, data });
    if (count === 0) return false;
    if (event === null) return true;
    await transaction.healthEvent.create({
      data: {
        merchantId,
        id: event.eventId,
        accountId,
        method,
        fromState: event.fromState,
        toState: status.state,
        why: status.why,
        detail: JSON.parse(JSON.stringify(event.detail)),
        createdAt: now,
      },
    });
    return true;
  });
}

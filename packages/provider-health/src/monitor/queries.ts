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
export interface HealthChange extends Omit<HealthStatus, 'why' | 'version'> {
  readonly why: StoredHealthReason;
  /** The entry in the feed; null where the state did not change. */
  readonly event: {
    readonly eventId: string;
    readonly fromState: string | null;
    /** Figures behind the change. */
    readonly detail: HealthEvent['detail'];
  } | null;
}

/** A change of an account's health, with the stored version that it is based on; 0 for the first. */
export interface HealthMove {
  readonly change: HealthChange;
  readonly version: number;
}

const CHANGE = `
WITH written AS (
  INSERT INTO health_status AS status (merchant_id, account_id, method, version, state, why, since, count_from, relapses, demoted_to,
    demoted_by, demoted_at, demoted_succeeded, demoted_faulted, demoted_shared, usual_ms, usual_at)
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::int[], $5::text[], $6::json[], $7::timestamptz[],
    $8::timestamptz[], $9::int[], $10::text[], $11::text[], $12::timestamptz[], $13::int[], $14::int[], $15::int[], $16::int[],
    $17::timestamptz[])
  ON CONFLICT (merchant_id, account_id, method) DO UPDATE SET
    version = excluded.version, state = excluded.state, why = excluded.why, since = excluded.since, count_from = excluded.count_from,
    relapses = excluded.relapses, demoted_to = excluded.demoted_to, demoted_by = excluded.demoted_by, demoted_at = excluded.demoted_at,
    demoted_succeeded = excluded.demoted_succeeded, demoted_faulted = excluded.demoted_faulted,
    demoted_shared = excluded.demoted_shared, usual_ms = excluded.usual_ms, usual_at = excluded.usual_at
  WHERE status.version = excluded.version - 1
  RETURNING merchant_id, account_id, method, state, why),
recorded AS (
  INSERT INTO health_event (merchant_id, id, account_id, method, from_state, to_state, why, detail, created_at)
  SELECT merchant_id, event.id, account_id, method, event.from_state, state, why, event.detail, $21::timestamptz
  FROM written JOIN unnest($2::uuid[], $3::text[], $18::uuid[], $19::text[], $20::json[])
    AS event (account_id, method, id, from_state, detail) USING (account_id, method)
  WHERE event.id IS NOT NULL)
SELECT account_id AS "accountId", method FROM written`;

/**
 * Writes the health of accounts and their entries in the feed, in one statement, and returns the moves that were made. Where another
 * process was first its change remains, and nothing of the move is written. `moves` has each account and method once.
 */
export async function changeHealth(database: Database, moves: readonly HealthMove[], now: Date): Promise<readonly HealthMove[]> {
  if (moves.length === 0) return moves;
  const { rows } = await database.pool.query<{ accountId: string; method: string }>(CHANGE, [...columnsOf(moves), now]);
  const written = new Set(rows.map(({ accountId, method }) => `${accountId}|${method}`));
  return moves.filter(({ change: { accountId, method } }) => written.has(`${accountId}|${method}`));
}

function columnsOf(moves: readonly HealthMove[]): unknown[][] {
  const column = (of: (move: HealthMove) => unknown) => moves.map(of);
  const own = <Name extends keyof HealthChange>(name: Name) => column(({ change }) => change[name]);
  return [
    own('merchantId'),
    own('accountId'),
    own('method'),
    column(({ version }) => version + 1),
    own('state'),
    column(({ change }) => JSON.stringify(change.why)),
    own('since'),
    own('countFrom'),
    own('relapses'),
    own('demotedTo'),
    own('demotedBy'),
    own('demotedAt'),
    own('demotedSucceeded'),
    own('demotedFaulted'),
    own('demotedShared'),
    own('usualMs'),
    own('usualAt'),
    column(({ change }) => change.event?.eventId ?? null),
    column(({ change }) => change.event?.fromState ?? null),
    column(({ change }) => JSON.stringify(change.event?.detail ?? null)),
  ];
}

import { batched, type Database } from '@switchyard/db';
import { claimByMerchant } from '../../record/claim-by-merchant.ts';

/*
 * `next_check_at` of a payment that is being initiated is on the database's clock: processes must agree on when one of them has died,
 * and their clocks may be off. Afterwards it only schedules gateway lookups, where a deviation is harmless: it follows the clock of the
 * process, like the session's expiry.
 */

/** A due payment, leased to the process that claimed it. */
export interface DuePayment {
  readonly merchantId: string;
  readonly paymentId: string;
  /** The number of claims, this one included. */
  readonly checkCount: number;
  /** As stored, which identifies the lease. */
  readonly leasedUntil: Date;
}

interface Lease {
  readonly now: Date;
  readonly leaseMs: number;
}

/*
 * Times are computed in rows of their own: a distributed engine lets an update set only functions whose value never changes, which neither
 * `now()` is, nor the sum of a time and an interval.
 */

/** The time by the clock that a payment follows. */
const NOW = 'CASE WHEN initiating THEN clock.at ELSE $1::timestamptz END';

const CLOCK = `
WITH clock AS MATERIALIZED (
  SELECT now() AS at, now() + $2 * interval '1 millisecond' AS database_end, $1::timestamptz + $2 * interval '1 millisecond' AS process_end)`;

const LEASE = `
UPDATE payment_check
SET next_check_at = CASE WHEN initiating THEN clock.database_end ELSE clock.process_end END, check_count = check_count + 1
FROM clock`;

const LEASED = `
RETURNING merchant_id AS "merchantId", payment_id AS "paymentId", check_count AS "checkCount", next_check_at AS "leasedUntil"`;

/** The first condition is what the index finds. */
const IS_DUE = `next_check_at <= greatest(now(), $1) AND next_check_at <= CASE WHEN initiating THEN now() ELSE $1::timestamptz END`;

const FIND_DUE = `
SELECT merchant_id AS "merchantId", count(*)::int AS count
FROM (SELECT merchant_id FROM payment_check WHERE ${IS_DUE} ORDER BY next_check_at LIMIT $2) AS due
GROUP BY merchant_id`;

// Locked once: a subquery might run again for each row, and lock more rows than it may.
const CLAIM_NEXT = `${CLOCK},
due AS MATERIALIZED (
  SELECT payment_id AS id FROM payment_check WHERE merchant_id = $3 AND ${IS_DUE}
  ORDER BY next_check_at LIMIT $4 FOR UPDATE SKIP LOCKED)
${LEASE} CROSS JOIN due WHERE merchant_id = $3 AND payment_id = due.id${LEASED}`;

/**
 * Leases the payments that are longest overdue, at most `limit`. Concurrent claims never get the same payment. An expired lease
 * makes the payment due again. A payment that is being initiated is due, and its lease expires, by the database's clock and not by
 * `now`.
 */
export async function claimDuePayments(
  database: Database,
  { now, leaseMs, limit }: Lease & { readonly limit: number },
): Promise<DuePayment[]> {
  const find = { name: 'find-due-payments', text: FIND_DUE, values: [now, limit] };
  return claimByMerchant(database, find, ({ merchantId, count }) => ({
    name: 'claim-due-payments',
    text: CLAIM_NEXT,
    values: [now, leaseMs, merchantId, count],
  }));
}

const CLAIM_ONE = `${CLOCK}${LEASE}
WHERE merchant_id = $3 AND payment_id = $4
  AND (next_check_at <= ${NOW} OR ($5 AND initiating AND check_count = 0))${LEASED}`;

/**
 * {@link claimDuePayments} for a certain payment; null when it is not due or leased by another process. One that is being initiated and
 * was never claimed is due at once when it is `abandoned`: the process that began it has ended.
 */
export async function claimDuePayment(
  database: Database,
  { merchantId, paymentId }: { merchantId: string; paymentId: string },
  { now, leaseMs, abandoned = false }: Lease & { readonly abandoned?: boolean },
): Promise<DuePayment | null> {
  const { rows } = await database.pool.query<DuePayment>({
    name: 'claim-due-payment',
    text: CLAIM_ONE,
    values: [now, leaseMs, merchantId, paymentId, abandoned],
  });
  return rows[0] ?? null;
}

const SCHEDULE = `
WITH input AS MATERIALIZED (
  SELECT input.*, now() + (next_check_at - now) AS database_next FROM json_to_recordset($1) AS input (merchant_id uuid, payment_id uuid,
    leased_until timestamptz, next_check_at timestamptz, now timestamptz)),
ended AS (
  DELETE FROM payment_check AS payment USING input
  WHERE payment.merchant_id = input.merchant_id AND payment.payment_id = input.payment_id
    AND payment.next_check_at = input.leased_until AND input.next_check_at IS NULL
    AND ($2::uuid IS NULL OR payment.merchant_id = $2))
UPDATE payment_check AS payment
SET next_check_at = CASE WHEN initiating THEN input.database_next ELSE input.next_check_at END
FROM input
WHERE payment.merchant_id = input.merchant_id AND payment.payment_id = input.payment_id
  AND payment.next_check_at = input.leased_until AND input.next_check_at IS NOT NULL
  AND ($2::uuid IS NULL OR payment.merchant_id = $2)`;

/** When a leased payment is checked next, or never with null; both times on the caller's clock. */
export interface NextCheck {
  readonly due: DuePayment;
  readonly nextCheckAt: Date | null;
  readonly now: Date;
}

const schedule = batched<NextCheck, void>({
  async run({ batches }, checks, merchant) {
    const rows = checks.map(({ due, nextCheckAt, now }) => ({
      merchant_id: due.merchantId,
      payment_id: due.paymentId,
      leased_until: due.leasedUntil,
      next_check_at: nextCheckAt,
      now,
    }));
    await batches.query({ name: 'schedule-next-checks', text: SCHEDULE, values: [JSON.stringify(rows), merchant] });
    return checks.map(() => undefined);
  },
  key: ({ due: { paymentId } }) => paymentId,
  merchant: ({ due: { merchantId } }) => merchantId,
});

/**
 * Schedules the next check of a leased payment. Does nothing when the caller no longer holds the lease, or when a result has set
 * another time meanwhile.
 */
export function scheduleNextCheck(database: Database, check: NextCheck): Promise<void> {
  return schedule(database, check);
}

/** Overdue payments of all merchants together. */
export interface Overdue {
  readonly count: number;
  /** When the oldest was due; null for none. */
  readonly oldestAt: Date | null;
}

/** Counting stops here. */
const COUNTED_MAX = 100_000;

const COUNT = `
SELECT count(*)::int AS count, min(next_check_at) AS "oldestAt" FROM (
  SELECT next_check_at FROM payment_check WHERE next_check_at < $1 ORDER BY next_check_at LIMIT ${COUNTED_MAX}) AS overdue`;

/** Payments that were due for verification before a moment and that no process has claimed. */
export async function countOverduePayments(database: Database, dueBefore: Date): Promise<Overdue> {
  const { rows } = await database.pool.query<Overdue>({ name: 'count-overdue-payments', text: COUNT, values: [dueBefore] });
  return rows[0] ?? { count: 0, oldestAt: null };
}

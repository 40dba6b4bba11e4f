import type { Database } from '@switchyard/db';

/*
 * `next_check_at` of an INITIATED payment is on the database's clock: processes must agree on when one of them has died, and their
 * clocks may be off. Afterwards it only schedules gateway lookups, where a deviation is harmless: it follows the clock of the
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

const CLOCK = `CASE status WHEN 'INITIATED' THEN now() ELSE $1::timestamptz END`;

const LEASE = `
UPDATE payment SET next_check_at = ${CLOCK} + $2 * interval '1 millisecond', check_count = check_count + 1`;

const LEASED = `
RETURNING merchant_id AS "merchantId", id AS "paymentId", check_count AS "checkCount", next_check_at AS "leasedUntil"`;

/** The condition of the partial index of due payments. */
const CLAIM_NEXT = `${LEASE}
WHERE (merchant_id, id) IN (
  SELECT merchant_id, id FROM payment WHERE next_check_at <= greatest(now(), $1) AND next_check_at <= ${CLOCK}
  ORDER BY next_check_at LIMIT 1 FOR UPDATE SKIP LOCKED)${LEASED}`;

/**
 * Leases the payment that is longest overdue; null when none is due. Concurrent claims never get the same payment. An expired lease
 * makes the payment due again. An INITIATED payment is due, and its lease expires, by the database's clock and not by `now`.
 */
export function claimNextDuePayment(database: Database, { now, leaseMs }: Lease): Promise<DuePayment | null> {
  return claim(database, 'claim-next-due-payment', CLAIM_NEXT, [now, leaseMs]);
}

const CLAIM_ONE = `${LEASE}
WHERE merchant_id = $3 AND id = $4 AND next_check_at <= ${CLOCK}${LEASED}`;

/** {@link claimNextDuePayment} for a certain payment; null when it is not due or leased by another process. */
export function claimDuePayment(
  database: Database,
  { merchantId, paymentId }: { merchantId: string; paymentId: string },
  { now, leaseMs }: Lease,
): Promise<DuePayment | null> {
  return claim(database, 'claim-due-payment', CLAIM_ONE, [now, leaseMs, merchantId, paymentId]);
}

async function claim(database: Database, name: string, text: string, values: unknown[]): Promise<DuePayment | null> {
  const { rows } = await database.pool.query<DuePayment>({ name, text, values });
  return rows[0] ?? null;
}

const SCHEDULE = `
UPDATE payment SET next_check_at = $4::timestamptz + CASE status WHEN 'INITIATED' THEN now() - $5::timestamptz ELSE '0' END
WHERE merchant_id = $1 AND id = $2 AND next_check_at = $3`;

/**
 * Sets when a leased payment is next due, or never with null; both times on the caller's clock. Does nothing when the caller no
 * longer holds the lease, or when a result has set another time meanwhile.
 */
export async function scheduleNextCheck(database: Database, due: DuePayment, nextCheckAt: Date | null, now: Date): Promise<void> {
  await database.pool.query({
    name: 'schedule-next-check',
    text: SCHEDULE,
    values: [due.merchantId, due.paymentId, due.leasedUntil, nextCheckAt, now],
  });
}

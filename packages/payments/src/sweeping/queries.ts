import { type Database, gathered } from '@switchyard/db';

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
  ORDER BY next_check_at LIMIT $3 FOR UPDATE SKIP LOCKED)${LEASED}`;

const claimNext = gathered<Lease, DuePayment | null>({
  async run({ batches }, leases) {
    const [{ now, leaseMs }] = leases;
    const { rows } = await batches.query<DuePayment>({
      name: 'claim-next-due-payments',
      text: CLAIM_NEXT,
      values: [now, leaseMs, leases.length],
    });
    return leases.map((_, index) => rows[index] ?? null);
  },
});

/**
 * Leases the payment that is longest overdue; null when none is due. Concurrent claims never get the same payment. An expired lease
 * makes the payment due again. An INITIATED payment is due, and its lease expires, by the database's clock and not by `now`.
 */
export function claimNextDuePayment(database: Database, lease: Lease): Promise<DuePayment | null> {
  return claimNext(database, lease);
}

const CLAIM_ONE = `${LEASE}
WHERE merchant_id = $3 AND id = $4 AND next_check_at <= ${CLOCK}${LEASED}`;

/** {@link claimNextDuePayment} for a certain payment; null when it is not due or leased by another process. */
export async function claimDuePayment(
  database: Database,
  { merchantId, paymentId }: { merchantId: string; paymentId: string },
  { now, leaseMs }: Lease,
): Promise<DuePayment | null> {
  const { rows } = await database.pool.query<DuePayment>({
    name: 'claim-due-payment',
    text: CLAIM_ONE,
    values: [now, leaseMs, merchantId, paymentId],
  });
  return rows[0] ?? null;
}

const SCHEDULE = `
UPDATE payment SET next_check_at = input.next_check_at + CASE status WHEN 'INITIATED' THEN now() - input.now ELSE '0' END
FROM json_to_recordset($1) AS input (merchant_id uuid, id uuid, leased_until timestamptz, next_check_at timestamptz, now timestamptz)
WHERE payment.merchant_id = input.merchant_id AND payment.id = input.id AND payment.next_check_at = input.leased_until`;

interface Schedule {
  readonly due: DuePayment;
  readonly nextCheckAt: Date | null;
  readonly now: Date;
}

const schedule = gathered<Schedule, void>({
  async run({ batches }, schedules) {
    const rows = schedules.map(({ due, nextCheckAt, now }) => ({
      merchant_id: due.merchantId,
      id: due.paymentId,
      leased_until: due.leasedUntil,
      next_check_at: nextCheckAt,
      now,
    }));
    await batches.query({ name: 'schedule-next-checks', text: SCHEDULE, values: [JSON.stringify(rows)] });
    return schedules.map(() => undefined);
  },
  key: ({ due: { paymentId } }) => paymentId,
});

/**
 * Sets when a leased payment is next due, or never with null; both times on the caller's clock. Does nothing when the caller no
 * longer holds the lease, or when a result has set another time meanwhile.
 */
export function scheduleNextCheck(database: Database, due: DuePayment, nextCheckAt: Date | null, now: Date): Promise<void> {
  return schedule(database, { due, nextCheckAt, now });
}

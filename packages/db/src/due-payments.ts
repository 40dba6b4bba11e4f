import type { QueryConfig } from 'pg';
import type { Database } from './connect.ts';

/** A payment whose turn has come to be asked about, leased to whoever claimed it. */
export interface DuePayment {
  readonly merchantId: string;
  readonly paymentId: string;
  /** How often it has been claimed, this time included. */
  readonly checkCount: number;
  readonly leasedUntil: Date;
}

interface Lease {
  readonly now: Date;
  readonly leaseMs: number;
}

const CLAIM_NEXT = `
UPDATE payment SET next_check_at = $2, check_count = check_count + 1
WHERE (merchant_id, id) IN (
  SELECT merchant_id, id FROM payment WHERE next_check_at <= $1 ORDER BY next_check_at LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING merchant_id AS "merchantId", id AS "paymentId", check_count AS "checkCount"`;

/**
 * Leases the payment that is longest overdue; null when none is due. Any number of processes may claim: none gets a payment that
 * another holds. A lease that runs out, because its holder died, makes the payment due again.
 */
export function claimNextDuePayment(database: Database, { now, leaseMs }: Lease): Promise<DuePayment | null> {
  const leasedUntil = new Date(now.getTime() + leaseMs);
  return claim(database, { name: 'claim-next-due-payment', text: CLAIM_NEXT, values: [now, leasedUntil] }, leasedUntil);
}

const CLAIM_ONE = `
UPDATE payment SET next_check_at = $2, check_count = check_count + 1
WHERE merchant_id = $3 AND id = $4 AND next_check_at <= $1
RETURNING merchant_id AS "merchantId", id AS "paymentId", check_count AS "checkCount"`;

/** {@link claimNextDuePayment} for a certain payment; null when it is not due, or somebody else holds it. */
export function claimDuePayment(
  database: Database,
  { merchantId, paymentId }: { merchantId: string; paymentId: string },
  { now, leaseMs }: Lease,
): Promise<DuePayment | null> {
  const leasedUntil = new Date(now.getTime() + leaseMs);
  return claim(
    database,
    { name: 'claim-due-payment', text: CLAIM_ONE, values: [now, leasedUntil, merchantId, paymentId] },
    leasedUntil,
  );
}

async function claim(database: Database, query: QueryConfig, leasedUntil: Date): Promise<DuePayment | null> {
  const { rows } = await database.pool.query<Omit<DuePayment, 'leasedUntil'>>(query);
  const [row] = rows;
  return row === undefined ? null : { ...row, leasedUntil };
}

/**
 * Says when a leased payment is next due, or never with null. Does nothing when the lease is no longer the caller's, or when
 * what was learned has set another time already.
 */
export async function scheduleNextCheck(database: Database, due: DuePayment, nextCheckAt: Date | null): Promise<void> {
  await database.pool.query({
    name: 'schedule-next-check',
    text: 'UPDATE payment SET next_check_at = $4 WHERE merchant_id = $1 AND id = $2 AND next_check_at = $3',
    values: [due.merchantId, due.paymentId, due.leasedUntil, nextCheckAt],
  });
}

import type { Database } from '@switchyard/db';
import { claimByMerchant } from '../record/claim-by-merchant.ts';

/** A due refund, leased to the process that claimed it. */
export interface DueRefund {
  readonly merchantId: string;
  readonly refundId: string;
  readonly leasedUntil: Date;
}

const FIND_DUE = `
SELECT merchant_id AS "merchantId", count(*)::int AS count
FROM (SELECT merchant_id FROM refund WHERE next_check_at <= $1 ORDER BY next_check_at LIMIT $2) AS due
GROUP BY merchant_id`;

const CLAIM = `
WITH due AS MATERIALIZED (
  SELECT id FROM refund WHERE merchant_id = $3 AND next_check_at <= $1 ORDER BY next_check_at LIMIT $4 FOR UPDATE SKIP LOCKED)
UPDATE refund SET next_check_at = $2
FROM due WHERE refund.merchant_id = $3 AND refund.id = due.id
RETURNING refund.merchant_id AS "merchantId", refund.id AS "refundId"`;

/**
 * Leases at most `limit` due refunds, the longest overdue first; no two processes get the same one. An expired lease makes a refund
 * due again.
 */
export async function claimDueRefunds(
  database: Database,
  { now, leaseMs, limit }: { now: Date; leaseMs: number; limit: number },
): Promise<readonly DueRefund[]> {
  const leasedUntil = new Date(now.getTime() + leaseMs);
  const find = { name: 'find-due-refunds', text: FIND_DUE, values: [now, limit] };
  const claimed = await claimByMerchant<Omit<DueRefund, 'leasedUntil'>>(database, find, ({ merchantId, count }) => ({
    name: 'claim-due-refunds',
    text: CLAIM,
    values: [now, leasedUntil, merchantId, count],
  }));
  return claimed.map((row) => ({ ...row, leasedUntil }));
}

const MARK_SENT = `
UPDATE refund SET state = 'PROCESSING', sent_at = now(), send_count = send_count + 1, next_check_at = $4, version = version + 1,
  failure_message = NULL, updated_at = $3
WHERE merchant_id = $1 AND id = $2 AND state = 'REQUESTED'
RETURNING id`;

/**
 * Records a sending before the gateway is called, at the database's time: see {@link isRefundInFlight}. True for exactly one caller; the others must not call. At `nextCheckAt` the refund
 * is checked even if this process dies meanwhile.
 */
export async function markRefundSent(
  database: Database,
  { merchantId, refundId }: { merchantId: string; refundId: string },
  { now, nextCheckAt }: { now: Date; nextCheckAt: Date },
): Promise<boolean> {
  const { rowCount } = await database.pool.query({
    name: 'mark-refund-sent',
    text: MARK_SENT,
    values: [merchantId, refundId, now, nextCheckAt],
  });
  return rowCount === 1;
}

const COULD_ARRIVE = `
SELECT coalesce(sent_at, created_at) + $3 * interval '1 millisecond' > now() AS "couldArrive"
FROM refund WHERE merchant_id = $1 AND id = $2`;

/**
 * True if the latest sending of a refund is less than `withinMs` ago, so that the gateway may yet receive it. On the database's clock:
 * of two processes whose clocks differ, one would otherwise send again what the other is sending. Also true for an unknown refund.
 */
export async function isRefundInFlight(
  database: Database,
  { merchantId, refundId }: { merchantId: string; refundId: string },
  withinMs: number,
): Promise<boolean> {
  const { rows } = await database.pool.query<{ couldArrive: boolean }>({
    name: 'could-refund-still-arrive',
    text: COULD_ARRIVE,
    values: [merchantId, refundId, withinMs],
  });
  return rows[0]?.couldArrive ?? true;
}

import type { Database } from '@switchyard/db';

/** A refund whose turn has come, leased to whoever claimed it. */
export interface DueRefund {
  readonly merchantId: string;
  readonly refundId: string;
  readonly leasedUntil: Date;
}

const CLAIM = `
UPDATE refund SET next_check_at = $2, check_count = check_count + 1
WHERE (merchant_id, id) IN (
  SELECT merchant_id, id FROM refund WHERE next_check_at <= $1 ORDER BY next_check_at LIMIT $3 FOR UPDATE SKIP LOCKED)
RETURNING merchant_id AS "merchantId", id AS "refundId"`;

/**
 * Leases refunds that are due, the longest overdue first, at most `limit` of them. Any number of processes may claim: none gets
 * a refund that another holds. A lease that runs out, because its holder died, makes the refund due again.
 */
export async function claimDueRefunds(
  database: Database,
  { now, leaseMs, limit }: { now: Date; leaseMs: number; limit: number },
): Promise<readonly DueRefund[]> {
  const leasedUntil = new Date(now.getTime() + leaseMs);
  const { rows } = await database.pool.query<Omit<DueRefund, 'leasedUntil'>>({
    name: 'claim-due-refunds',
    text: CLAIM,
    values: [now, leasedUntil, limit],
  });
  return rows.map((row) => ({ ...row, leasedUntil }));
}

const MARK_SENT = `
UPDATE refund SET state = 'PROCESSING', sent_at = $3, send_count = send_count + 1, next_check_at = $4, version = version + 1,
  failure_message = NULL, updated_at = $3
WHERE merchant_id = $1 AND id = $2 AND state = 'REQUESTED'
RETURNING id`;

/**
 * Says, before the gateway is called, that a refund is being asked for. True for one caller alone, however many there are: the
 * others must not call. `nextCheckAt` is when somebody looks for it if this process dies meanwhile.
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

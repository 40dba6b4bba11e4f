import type { Database } from '@switchyard/db';
import type { Refund } from '@switchyard/db/client';

/** Clocks of processes that made payments may have been ahead of the database's by as much. */
const CLOCKS_DIFFER_MS = 10 * 60_000;

/** Rows that may have been lost between a refund's payment and the refund: an earlier sending of it may be among them. */
export interface LostRows {
  /** True while a call of the time before may yet arrive at the gateway. */
  readonly mayArrive: boolean;
}

const READ_EPOCH = `
SELECT here.identity, here.identity = ANY (SELECT identity FROM database_epoch) AS "isKnown",
  began_at > payment.created_at - $3 * interval '1 millisecond' AND (refund.cleared_at > began_at) IS NOT TRUE AS "isLater",
  began_at + $4 * interval '1 millisecond' > now() AS "mayArrive"
FROM refund JOIN payment ON payment.merchant_id = refund.merchant_id AND payment.id = refund.payment_id,
  LATERAL (SELECT database_identity() AS identity OFFSET 0) AS here,
  LATERAL (SELECT max(began_at) AS began_at FROM database_epoch) AS latest
WHERE refund.merchant_id = $1 AND refund.id = $2`;

const BEGIN_EPOCH = `
INSERT INTO database_epoch (identity, began_at) VALUES ($1, now()) ON CONFLICT (identity) DO UPDATE SET began_at = excluded.began_at`;

interface EpochOfRefund {
  readonly identity: string;
  readonly isKnown: boolean;
  readonly isLater: boolean;
  readonly mayArrive: boolean;
}

/**
 * Rows of a refund's payment that may have been lost: the database that has them now was restored, promoted or read from a dump
 * since the payment was made, and no person has looked at the gateway since. Null where none can be, which proves that what is sent first
 * here is sent first. Read where the payment's rows are, at each sending, so that a database that was promoted a moment ago is seen.
 * `arrivalMs` is how long a call of the time before may take to arrive.
 */
export async function findLostRows(
  database: Database,
  { merchantId, id }: Pick<Refund, 'merchantId' | 'id'>,
  arrivalMs: number,
): Promise<LostRows | null> {
  const read = async (): Promise<EpochOfRefund> => {
    const values = [merchantId, id, CLOCKS_DIFFER_MS, arrivalMs];
    const { rows } = await database.pool.query<EpochOfRefund>({ name: 'read-epoch-of-refund', text: READ_EPOCH, values });
    if (rows[0] === undefined) throw new Error(`refund ${id} is gone`);
    return rows[0];
  };
  let epoch = await read();
  if (!epoch.isKnown) {
    await database.pool.query(BEGIN_EPOCH, [epoch.identity]);
    epoch = await read();
  }
  return epoch.isLater ? { mayArrive: epoch.mayArrive } : null;
}

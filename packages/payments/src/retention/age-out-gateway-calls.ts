import { type Database, firstIdAt } from '@switchyard/db';
import { IS_UNFINISHED } from './evidence.ts';

/** Where the last batch ended. */
export interface CallsPosition {
  /** The last attempt looked at; null at the beginning. */
  readonly cursor: string | null;
  /** Attempts before it that still have their call, because their payment is unfinished or they were locked. */
  readonly held: readonly string[];
}

/** Result of a batch, and the position at which the next one continues. */
export interface CallsAgedOut extends CallsPosition {
  /** Attempts whose call was removed. */
  readonly removed: number;
  /** True if no attempt is left that is old enough. */
  readonly isDone: boolean;
}

/*
 * Attempts stay, only their call goes: a cursor over their ids, which follow the time, instead of an index that every payment would
 * have to write. What the cursor passed without removing it is held by id.
 */
const AGE_OUT = `
WITH page AS (
  SELECT id FROM attempt WHERE merchant_id = $1 AND id > $2 AND id < $3 ORDER BY id LIMIT $4),
candidate AS (
  SELECT attempt.id, ${IS_UNFINISHED} OR attempt.created_at >= $5 AS kept
  FROM attempt JOIN payment ON payment.merchant_id = attempt.merchant_id AND payment.id = attempt.payment_id
  WHERE attempt.merchant_id = $1 AND attempt.call IS NOT NULL
    AND (attempt.id IN (SELECT id FROM page) OR attempt.id = ANY ($6::uuid[]))),
free AS (
  SELECT id FROM attempt WHERE merchant_id = $1 AND id IN (SELECT id FROM candidate WHERE NOT kept)
  ORDER BY id FOR UPDATE SKIP LOCKED),
cleared AS (
  UPDATE attempt SET call = NULL WHERE merchant_id = $1 AND id IN (SELECT id FROM free) RETURNING id)
SELECT (SELECT count(*)::int FROM cleared) AS removed, (SELECT count(*)::int FROM page) AS seen,
  (SELECT id FROM page ORDER BY id DESC LIMIT 1) AS cursor,
  ARRAY(SELECT id FROM candidate EXCEPT SELECT id FROM cleared)::text[] AS held`;

const NO_ID = '00000000-0000-0000-0000-000000000000';

interface Row {
  readonly removed: number;
  readonly seen: number;
  readonly cursor: string | null;
  readonly held: string[];
}

/**
 * Removes requests and responses from attempts at gateways made before a time, in one short transaction over at most `limit`
 * attempts. The attempts stay, with state, reference, latency and failure. Attempts of unfinished payments keep their call until the
 * payment is finished.
 */
export async function ageOutGatewayCalls(
  database: Database,
  merchantId: string,
  { cursor, held }: CallsPosition,
  before: Date,
  limit: number,
): Promise<CallsAgedOut> {
  const { rows } = await database.pool.query<Row>(AGE_OUT, [
    merchantId,
    cursor ?? NO_ID,
    firstIdAt(before.getTime()),
    limit,
    before,
    held,
  ]);
  const row = rows[0] ?? { removed: 0, seen: 0, cursor: null, held: [] };
  return { removed: row.removed, cursor: row.cursor ?? cursor, held: row.held, isDone: row.seen < limit };
}

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
const PAGE = `SELECT id FROM attempt WHERE merchant_id = $1 AND id > $2 AND id < $3 ORDER BY id LIMIT $4`;

const FREE = `
SELECT attempt.id FROM attempt JOIN payment ON payment.merchant_id = attempt.merchant_id AND payment.id = attempt.payment_id
WHERE attempt.merchant_id = $1 AND attempt.id = ANY ($2::uuid[]) AND attempt.packed_call IS NOT NULL AND attempt.created_at < $3
  AND NOT ${IS_UNFINISHED}`;

const CLEAR = `
UPDATE attempt SET packed_call = NULL WHERE merchant_id = $1 AND id IN (
  SELECT id FROM attempt WHERE merchant_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR UPDATE SKIP LOCKED)`;

const HELD = `SELECT id FROM attempt WHERE merchant_id = $1 AND id = ANY ($2::uuid[]) AND packed_call IS NOT NULL`;

const NO_ID = '00000000-0000-0000-0000-000000000000';

interface Row {
  readonly id: string;
}

/**
 * Removes requests and responses from attempts at gateways made before a time, in short statements over at most `limit`
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
  const { pool } = database;
  const page = await pool.query<Row>(PAGE, [merchantId, cursor ?? NO_ID, firstIdAt(before.getTime()), limit]);
  const candidates = [...page.rows.map(({ id }) => id), ...held];
  const free = await pool.query<Row>(FREE, [merchantId, candidates, before]);
  const cleared = await pool.query(CLEAR, [merchantId, free.rows.map(({ id }) => id)]);
  const left = await pool.query<Row>(HELD, [merchantId, candidates]);
  return {
    removed: cleared.rowCount ?? 0,
    cursor: page.rows.at(-1)?.id ?? cursor,
    held: left.rows.map(({ id }) => id),
    isDone: page.rows.length < limit,
  };
}

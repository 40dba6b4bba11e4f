import { type Database, firstIdAt } from '@switchyard/db';
import { namedPayment } from '../record/plan.ts';

export { deleteExpiredIdempotencyRecords, EXPIRED_BATCH } from '../record/idempotency/queries.ts';

/**
 * SQL condition: the payment in `payment`, of the merchant in $1, is not finished, and what gateways said about it may still be needed.
 * Until it ended and is no longer watched for late money, and until its review, duplicate charges, refunds, disputes and discrepancies
 * are closed.
 */
const IS_UNFINISHED = `(
  payment.status IN ('INITIATED', 'PENDING') OR payment.review IS NOT DISTINCT FROM 'OPEN'
  OR EXISTS (SELECT FROM payment_check AS due WHERE due.merchant_id = $1 AND due.payment_id = payment.id)
  OR EXISTS (SELECT FROM duplicate_charge AS charge WHERE charge.merchant_id = $1
    AND charge.payment_id = payment.id AND charge.state IN ('OPEN', 'REFUNDING'))
  OR EXISTS (SELECT FROM refund WHERE refund.merchant_id = $1 AND refund.payment_id = payment.id
    AND (refund.state IN ('REQUESTED', 'PROCESSING', 'NEEDS_ATTENTION') OR refund.state = 'FAILED' AND refund.resolved_at IS NULL))
  OR EXISTS (SELECT FROM dispute WHERE dispute.merchant_id = $1 AND dispute.payment_id = payment.id
    AND dispute.state IN ('NEEDS_RESPONSE', 'UNDER_REVIEW'))
  OR EXISTS (SELECT FROM reconciliation_discrepancy AS found WHERE found.merchant_id = $1
    AND found.payment_id = payment.id AND found.state = 'OPEN')
  OR EXISTS (SELECT FROM settlement_discrepancy AS found WHERE found.merchant_id = $1
    AND found.payment_id = payment.id AND found.state = 'OPEN'))`;

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

// Ids follow the time at which webhooks were received.
const OLD = `
SELECT webhook.id FROM gateway_webhook AS webhook
WHERE webhook.merchant_id = $1 AND webhook.id < $2 AND NOT EXISTS (
  SELECT FROM attempt JOIN payment ON payment.merchant_id = $1 AND payment.id = attempt.payment_id
  WHERE attempt.merchant_id = $1 AND attempt.payment_id = ${namedPayment('webhook.reference')}
    AND attempt.account_id = webhook.account_id AND attempt.reference = webhook.reference AND ${IS_UNFINISHED})
ORDER BY webhook.id LIMIT $3`;

const DELETE = `
WITH old AS MATERIALIZED (
  SELECT id FROM gateway_webhook WHERE merchant_id = $1 AND id = ANY ($2::uuid[]) FOR UPDATE SKIP LOCKED),
to_follow AS (DELETE FROM webhook_follow_up WHERE merchant_id = $1 AND webhook_id IN (SELECT id FROM old))
DELETE FROM gateway_webhook WHERE merchant_id = $1 AND id IN (SELECT id FROM old)`;

/**
 * Deletes gateway webhooks received before a time, at most `limit` of them, oldest first; those about unfinished payments stay.
 * A repetition of a deleted one would be stored again and only cause a lookup: gateways stop repeating after less than four days.
 * Returns how many.
 */
export async function ageOutGatewayWebhooks(
  database: Database,
  merchantId: string,
  before: Date,
  limit: number,
): Promise<number> {
  const { rows } = await database.pool.query<{ id: string }>(OLD, [merchantId, firstIdAt(before.getTime()), limit]);
  const { rowCount } = await database.pool.query(DELETE, [merchantId, rows.map(({ id }) => id)]);
  return rowCount ?? 0;
}

const AGE_OUT_REFUSED = `
DELETE FROM refused_webhook WHERE merchant_id = $1 AND (account_id, why, hour_at) IN (
  SELECT account_id, why, hour_at FROM refused_webhook WHERE merchant_id = $1 AND hour_at < $2 LIMIT $3 FOR UPDATE SKIP LOCKED)`;

/** Deletes hourly counts of refused gateway webhooks from before a time, at most `limit` of them. Returns how many. */
export async function ageOutRefusedWebhooks(
  database: Database,
  merchantId: string,
  before: Date,
  limit: number,
): Promise<number> {
  const { rowCount } = await database.pool.query(AGE_OUT_REFUSED, [merchantId, before, limit]);
  return rowCount ?? 0;
}

import type { Database } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';

/** How long after it was taken back money needs attention. */
const REVERSALS_SHOWN_MS = 7 * 24 * 3_600_000;

/** Reversed money of one merchant, mode and currency. */
export interface CountedReversals {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly currency: string;
  readonly count: number;
  /** The sum, as an exact decimal of main units. */
  readonly amount: string;
  readonly oldestAt: Date;
}

// Found by a partial index.
const COUNT = `
SELECT merchant_id AS "merchantId", mode, currency::text AS currency, count(*)::int AS count,
  trim_scale(sum(reversed_amount))::text AS amount, min(reversed_at) AS "oldestAt"
FROM payment WHERE reversed_at IS NOT NULL AND reversed_at >= $1 AND ($2::uuid[] IS NULL OR merchant_id = ANY ($2))
GROUP BY merchant_id, mode, currency`;

/** Payments of which money was taken back in the last seven days: of these merchants, of all with null. */
export async function countReversals(
  database: Database,
  merchantIds: readonly string[] | null,
  now: Date,
): Promise<CountedReversals[]> {
  const values = [new Date(now.getTime() - REVERSALS_SHOWN_MS), merchantIds];
  const { rows } = await database.pool.query<CountedReversals>({ name: 'count-reversals', text: COUNT, values });
  return rows;
}

const UNANSWERED_MAX = 1_000;

/** A dispute without an answer. */
export interface UnansweredDispute {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly disputeId: string;
  readonly gateway: string;
  /** False of a payment that another software took at the account. */
  readonly inLedger: boolean;
  /** Exact decimal of the main unit. */
  readonly amount: string;
  readonly currency: string;
  readonly openedAt: Date;
  /** Null where neither the gateway nor a rule names a date. */
  readonly dueAt: Date | null;
}

// Found by the partial index of open disputes. One with an answer on its way waits for the gateway, unless its status cannot be read.
const LIST = `
SELECT merchant_id AS "merchantId", mode, id AS "disputeId", gateway, payment_id IS NOT NULL AS "inLedger", trim_scale(amount)::text AS amount, currency::text AS currency,
  opened_at AS "openedAt", due_at AS "dueAt"
FROM dispute WHERE state = 'NEEDS_RESPONSE' AND state IN ('NEEDS_RESPONSE', 'UNDER_REVIEW')
  AND ($1::uuid[] IS NULL OR merchant_id = ANY ($1))
  AND (unrecognised IS NOT NULL
    OR NOT EXISTS (SELECT FROM dispute_response AS response WHERE response.merchant_id = dispute.merchant_id
      AND response.dispute_id = dispute.id AND response.stage = coalesce(dispute.stage, '') AND response.state <> 'REFUSED'
      AND response.state <> 'UNKNOWN'))
ORDER BY due_at, id LIMIT ${UNANSWERED_MAX}`;

/** Disputes that have to be answered, those due first: of these merchants, of all with null. */
export async function listUnanswered(database: Database, merchantIds: readonly string[] | null): Promise<UnansweredDispute[]> {
  const { rows } = await database.pool.query<UnansweredDispute>({ name: 'list-unanswered', text: LIST, values: [merchantIds] });
  return rows;
}

import type { Database } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';

/** How long after it was taken back money needs attention. */
const REVERSALS_SHOWN_MS = 7 * 24 * 3_600_000;

/** Disputed or reversed money of one merchant, mode and currency. */
export interface CountedReversals {
  readonly what: 'disputes' | 'reversals';
  readonly merchantId: string;
  readonly mode: Mode;
  readonly currency: string;
  readonly count: number;
  /** The sum, as an exact decimal of main units. */
  readonly amount: string;
  readonly oldestAt: Date;
  /** When the first of the disputes has to be answered; null where none says, and for reversals. */
  readonly dueAt: Date | null;
}

// Each part is found by a partial index.
const COUNT = `
SELECT 'disputes' AS what, merchant_id AS "merchantId", mode, currency::text AS currency, count(*)::int AS count,
  trim_scale(sum(amount))::text AS amount, min(opened_at) AS "oldestAt", min(due_at) AS "dueAt"
FROM dispute WHERE state = 'NEEDS_RESPONSE' AND state IN ('NEEDS_RESPONSE', 'UNDER_REVIEW')
  AND ($2::uuid[] IS NULL OR merchant_id = ANY ($2)) GROUP BY merchant_id, mode, currency
UNION ALL
SELECT 'reversals', merchant_id, mode, currency::text, count(*)::int, trim_scale(sum(reversed_amount))::text, min(reversed_at), NULL
FROM payment WHERE reversed_at IS NOT NULL AND reversed_at >= $1 AND ($2::uuid[] IS NULL OR merchant_id = ANY ($2))
GROUP BY merchant_id, mode, currency`;

/** Of these merchants, all with null: disputes to be answered, and payments of which money was taken back in the last seven days. */
export async function countReversals(
  database: Database,
  merchantIds: readonly string[] | null,
  now: Date,
): Promise<CountedReversals[]> {
  const values = [new Date(now.getTime() - REVERSALS_SHOWN_MS), merchantIds];
  const { rows } = await database.pool.query<CountedReversals>({ name: 'count-reversals', text: COUNT, values });
  return rows;
}

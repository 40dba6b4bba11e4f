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

/** Of these merchants, all with null: payments of which money was taken back in the last seven days. */
export async function countReversals(
  database: Database,
  merchantIds: readonly string[] | null,
  now: Date,
): Promise<CountedReversals[]> {
  const values = [new Date(now.getTime() - REVERSALS_SHOWN_MS), merchantIds];
  const { rows } = await database.pool.query<CountedReversals>({ name: 'count-reversals', text: COUNT, values });
  return rows;
}

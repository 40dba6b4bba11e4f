import type { Database } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';

/** Money that waits for a decision: of one merchant, mode, kind and currency. */
export interface UnresolvedMoney {
  readonly kind: 'duplicate_charge' | 'payment_review' | 'refund_stuck';
  readonly merchantId: string;
  readonly mode: Mode;
  readonly currency: string;
  readonly count: number;
  /** The sum, as an exact decimal of main units. */
  readonly amount: string;
  readonly oldestAt: Date;
}

// Each part is found by a partial index on its open rows.
const COUNT = `
SELECT 'duplicate_charge' AS kind, merchant_id AS "merchantId", mode, currency::text AS currency, count(*)::int AS count,
  trim_scale(sum(amount))::text AS amount, min(created_at) AS "oldestAt"
FROM duplicate_charge WHERE state = 'OPEN' AND state IN ('OPEN', 'REFUNDING') AND ($1::uuid[] IS NULL OR merchant_id = ANY ($1))
GROUP BY merchant_id, mode, currency
UNION ALL
SELECT 'payment_review', merchant_id, mode, currency::text, count(*)::int, sum(amount)::text, min(created_at)
FROM payment WHERE review = 'OPEN' AND ($1::uuid[] IS NULL OR merchant_id = ANY ($1)) GROUP BY merchant_id, mode, currency
UNION ALL
SELECT 'refund_stuck', merchant_id, mode, currency::text, sum(n)::int, sum(amount)::text, min(oldest) FROM (
  SELECT merchant_id, mode, currency, count(*) AS n, sum(amount) AS amount, min(created_at) AS oldest
  FROM refund WHERE state = 'NEEDS_ATTENTION' AND ($1::uuid[] IS NULL OR merchant_id = ANY ($1)) GROUP BY merchant_id, mode, currency
  UNION ALL
  SELECT merchant_id, mode, currency, count(*), sum(amount), min(created_at)
  FROM refund WHERE state = 'FAILED' AND NOT duplicate AND NOT mismatched AND resolved_at IS NULL
    AND ($1::uuid[] IS NULL OR merchant_id = ANY ($1)) GROUP BY merchant_id, mode, currency) AS stuck
GROUP BY merchant_id, mode, currency`;

/**
 * Duplicate charges without a refund, payments under review, and refunds that need a person or failed and are not resolved: of these
 * merchants, of all with null.
 */
export async function countUnresolvedMoney(
  database: Database,
  merchantIds: readonly string[] | null,
): Promise<UnresolvedMoney[]> {
  const { rows } = await database.pool.query<UnresolvedMoney>({
    name: 'count-unresolved-money',
    text: COUNT,
    values: [merchantIds],
  });
  return rows;
}

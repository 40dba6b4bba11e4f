import type pg from 'pg';
import { ALL_MERCHANTS } from './payment-rollups.ts';

/** Greater than every merchant id in PostgreSQL's order. */
const AFTER_ALL = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Searches the gaps between the ids for another merchant with roll-ups: one index probe each. */
const OUTSIDE = `
SELECT 1 FROM unnest($1::uuid[], $2::uuid[]) AS gap (after_id, before_id)
CROSS JOIN LATERAL (
  SELECT 1 FROM payment_rollup AS t WHERE t.merchant_id > gap.after_id AND t.merchant_id < gap.before_id LIMIT 1) AS counted
LIMIT 1`;

/** True if no other merchant has roll-ups: those over all merchants then cover exactly these, in the same snapshot. */
export async function isAllMerchants(client: Pick<pg.ClientBase, 'query'>, merchantIds: readonly string[]): Promise<boolean> {
  const sorted = merchantIds.map((id) => id.toLowerCase()).sort();
  const { rows } = await client.query({
    name: 'counted-outside',
    text: OUTSIDE,
    values: [
      [ALL_MERCHANTS, ...sorted],
      [...sorted, AFTER_ALL],
    ],
  });
  return rows.length === 0;
}

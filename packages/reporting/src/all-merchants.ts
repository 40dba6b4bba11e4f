import type pg from 'pg';
import { EVERYONE } from './payment-rollups.ts';

/** Sorted by PostgreSQL, ids lie between the one that stands for everyone and this. */
const BEYOND_ALL = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Looks between each id and the next for a merchant of whom anything was counted, however many rows each has. */
const OUTSIDE = `
SELECT 1 FROM unnest($1::uuid[], $2::uuid[]) AS gap (after_id, before_id)
CROSS JOIN LATERAL (
  SELECT 1 FROM payment_rollup AS t WHERE t.merchant_id > gap.after_id AND t.merchant_id < gap.before_id LIMIT 1) AS counted
LIMIT 1`;

/** Whether nothing was counted of any merchant but these: sums of all merchants together are then theirs, in the same snapshot. */
export async function isAllMerchants(client: Pick<pg.ClientBase, 'query'>, merchantIds: readonly string[]): Promise<boolean> {
  const sorted = merchantIds.map((id) => id.toLowerCase()).sort();
  const { rows } = await client.query({
    name: 'counted-outside',
    text: OUTSIDE,
    values: [
      [EVERYONE, ...sorted],
      [...sorted, BEYOND_ALL],
    ],
  });
  return rows.length === 0;
}

import type pg from 'pg';
import { EVERYONE } from './totals.ts';

/** Steps from one merchant that anything was counted of to the next, however many rows each has. */
const OUTSIDE = `
WITH RECURSIVE counted AS (
  (SELECT merchant_id FROM payment_total WHERE merchant_id > '${EVERYONE}' ORDER BY merchant_id LIMIT 1)
  UNION ALL
  SELECT (SELECT t.merchant_id FROM payment_total AS t WHERE t.merchant_id > counted.merchant_id ORDER BY t.merchant_id LIMIT 1)
  FROM counted WHERE counted.merchant_id IS NOT NULL)
SELECT 1 FROM counted WHERE merchant_id <> ALL ($1::uuid[]) LIMIT 1`;

/** Whether nothing was counted of any merchant but these: sums of all merchants together are then theirs, in the same snapshot. */
export async function isEveryone(client: Pick<pg.ClientBase, 'query'>, merchantIds: readonly string[]): Promise<boolean> {
  const { rows } = await client.query({ name: 'counted-outside', text: OUTSIDE, values: [merchantIds] });
  return rows.length === 0;
}

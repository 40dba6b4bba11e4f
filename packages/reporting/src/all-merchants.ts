import type pg from 'pg';

/** One index probe for each merchant that is not among these. */
const OUTSIDE = `
SELECT 1 FROM tenant
WHERE id <> ALL ($1::uuid[]) AND EXISTS (SELECT FROM payment_rollup WHERE payment_rollup.merchant_id = tenant.id) LIMIT 1`;

/** True if no other merchant has roll-ups: those over all merchants then cover exactly these, in the same snapshot. */
export async function isAllMerchants(client: Pick<pg.ClientBase, 'query'>, merchantIds: readonly string[]): Promise<boolean> {
  const { rows } = await client.query({ name: 'counted-outside', text: OUTSIDE, values: [merchantIds] });
  return rows.length === 0;
}

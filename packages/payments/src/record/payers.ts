import type { SealedRows } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';
import { payerBinding } from './attempt-queries.ts';

const ERASE = `
DELETE FROM payer WHERE merchant_id = $1::uuid
  AND attempt_id IN (SELECT id FROM attempt WHERE merchant_id = $1::uuid AND payment_id = ANY ($2::uuid[]))`;

/** Forgets who paid these payments by transfer. */
export async function erasePayers(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  paymentIds: readonly string[],
): Promise<void> {
  await transaction.$executeRawUnsafe(ERASE, merchantId, paymentIds);
}

const LIST = `
SELECT merchant_id AS "merchantId", attempt_id AS id, ARRAY[sealed] AS sealed FROM payer
WHERE (merchant_id, attempt_id) > ($1::uuid, $2::uuid) ORDER BY merchant_id, attempt_id LIMIT $3`;

const REPLACE = `
UPDATE payer SET sealed = changed.sealed
FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) AS changed (merchant_id, id, previous, sealed)
WHERE payer.merchant_id = changed.merchant_id AND payer.attempt_id = changed.id AND payer.sealed = changed.previous`;

/** Payers of transfers. */
export const sealedPayers: SealedRows = {
  name: 'payers of transfers',
  async list(pool, after, limit) {
    const { rows } = await pool.query(LIST, [after.merchantId, after.id, limit]);
    return rows;
  },
  bindingOf: ({ merchantId, id }) => payerBinding({ merchantId, attemptId: id }),
  async replace(pool, rows) {
    const { rowCount } = await pool.query(REPLACE, [
      rows.map(({ merchantId }) => merchantId),
      rows.map(({ id }) => id),
      rows.map(({ previous }) => previous[0]),
      rows.map(({ sealed }) => sealed[0]),
    ]);
    return rowCount ?? 0;
  },
};

import type { SealedRow, SealedRows } from './vault.ts';

/** The sealed values of a text column, one in each row that has any. A row is found by its merchant and an id. */
export function sealedColumn({
  name,
  table,
  id = 'id',
  column,
  bindingOf,
}: {
  readonly name: string;
  readonly table: string;
  /** The column of the row's id. */
  readonly id?: string;
  readonly column: string;
  readonly bindingOf: (row: SealedRow) => string;
}): SealedRows {
  const list = `
SELECT merchant_id AS "merchantId", ${id} AS id, ARRAY[${column}] AS sealed FROM ${table}
WHERE ${column} <> '' AND (merchant_id, ${id}) > ($1::uuid, $2::uuid) ORDER BY merchant_id, ${id} LIMIT $3`;
  const replace = `
UPDATE ${table} AS stored SET ${column} = changed.sealed
FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) AS changed (merchant_id, id, previous, sealed)
WHERE stored.merchant_id = changed.merchant_id AND stored.${id} = changed.id AND stored.${column} = changed.previous`;
  return {
    name,
    async list(pool, after, limit) {
      const { rows } = await pool.query(list, [after.merchantId, after.id, limit]);
      return rows;
    },
    bindingOf,
    async replace(pool, rows) {
      const { rowCount } = await pool.query(replace, [
        rows.map(({ merchantId }) => merchantId),
        rows.map((row) => row.id),
        rows.map(({ previous }) => previous[0]),
        rows.map(({ sealed }) => sealed[0]),
      ]);
      return rowCount ?? 0;
    },
  };
}

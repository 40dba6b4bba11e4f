import type { SealedRows } from '@switchyard/db';
import { credentialBinding } from '@switchyard/runtime';

export { readContracts } from './fee-contracts/queries.ts';
export {
  clearConfigurationFault,
  findGatewayAccount,
  type ListedGatewayAccount,
  listGatewayAccountRows,
  recordConnectionTest,
  setConfigurationFault,
} from './queries.ts';

const LIST = `
SELECT merchant_id AS "merchantId", id, ARRAY[credentials] AS sealed FROM gateway_account
WHERE credentials IS NOT NULL AND (merchant_id, id) > ($1::uuid, $2::uuid) ORDER BY merchant_id, id LIMIT $3`;

const REPLACE = `
UPDATE gateway_account AS account SET credentials = changed.sealed
FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) AS changed (merchant_id, id, previous, sealed)
WHERE account.merchant_id = changed.merchant_id AND account.id = changed.id AND account.credentials = changed.previous`;

/**
 * Credentials of gateway accounts. The configuration's revision stays: what processes have in memory was sealed with a key that they
 * have as well.
 */
export const sealedCredentials: SealedRows = {
  name: 'gateway credentials',
  async list(pool, after, limit) {
    const { rows } = await pool.query(LIST, [after.merchantId, after.id, limit]);
    return rows;
  },
  bindingOf: credentialBinding,
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

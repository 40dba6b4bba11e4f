import type { SealedRows } from '@switchyard/db';
import { endpointBinding } from './endpoint-secrets.ts';

const LIST = `
SELECT merchant_id AS "merchantId", id, secrets AS sealed FROM webhook_endpoint
WHERE secrets <> '{}' AND (merchant_id, id) > ($1::uuid, $2::uuid) ORDER BY merchant_id, id LIMIT $3`;

/** Sealed values hold no spaces: an array of arrays would need rows of one length. */
const REPLACE = `
UPDATE webhook_endpoint AS endpoint SET secrets = string_to_array(changed.sealed, ' ')
FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) AS changed (merchant_id, id, previous, sealed)
WHERE endpoint.merchant_id = changed.merchant_id AND endpoint.id = changed.id
  AND endpoint.secrets = string_to_array(changed.previous, ' ')`;

/** Signing secrets of webhook endpoints, those of removed endpoints included. */
export const sealedEndpointSecrets: SealedRows = {
  name: 'webhook signing secrets',
  async list(pool, after, limit) {
    const { rows } = await pool.query(LIST, [after.merchantId, after.id, limit]);
    return rows;
  },
  bindingOf: ({ merchantId, id }) => endpointBinding({ merchantId, endpointId: id }),
  async replace(pool, rows) {
    const { rowCount } = await pool.query(REPLACE, [
      rows.map(({ merchantId }) => merchantId),
      rows.map(({ id }) => id),
      rows.map(({ previous }) => previous.join(' ')),
      rows.map(({ sealed }) => sealed.join(' ')),
    ]);
    return rowCount ?? 0;
  },
};

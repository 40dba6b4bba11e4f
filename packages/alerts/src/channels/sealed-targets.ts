import type { SealedRows } from '@switchyard/db';
import { channelBinding } from './targets.ts';

const LIST = `
SELECT merchant_id AS "merchantId", id, ARRAY[target] AS sealed FROM notification_channel
WHERE target <> '' AND (merchant_id, id) > ($1::uuid, $2::uuid) ORDER BY merchant_id, id LIMIT $3`;

const REPLACE = `
UPDATE notification_channel AS channel SET target = changed.sealed
FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) AS changed (merchant_id, id, previous, sealed)
WHERE channel.merchant_id = changed.merchant_id AND channel.id = changed.id AND channel.target = changed.previous`;

/** Addresses and keys of notification channels, those of removed channels included. */
export const sealedTargets: SealedRows = {
  name: 'notification channels',
  async list(pool, after, limit) {
    const { rows } = await pool.query(LIST, [after.merchantId, after.id, limit]);
    return rows;
  },
  bindingOf: ({ merchantId, id }) => channelBinding({ merchantId, channelId: id }),
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

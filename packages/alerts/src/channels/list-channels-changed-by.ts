import type { AlertsContext } from '../context.ts';

const LISTED_MAX = 500;
const LIST = `
SELECT channel.merchant_id AS "merchantId", channel.id AS "channelId", channel.name, max(entry.created_at) AS at
FROM notification_channel AS channel
JOIN audit_entry AS entry ON entry.tenant_id = channel.merchant_id AND entry.object_id = channel.id::text
WHERE channel.merchant_id = ANY($1::uuid[]) AND channel.removed_at IS NULL AND entry.actor = $2
GROUP BY 1, 2, 3 ORDER BY at DESC LIMIT ${LISTED_MAX}`;

/** A channel, and when a staff user added or last changed it. */
export interface ChangedChannel {
  /** The nil UUID for a channel of the workspace. */
  readonly merchantId: string;
  readonly channelId: string;
  readonly name: string;
  readonly at: Date;
}

/** Channels that a staff user added or changed and that were not removed, latest change first, at most 500. */
export async function listChannelsChangedBy(
  { resources }: Pick<AlertsContext, 'resources'>,
  { merchantIds, actor }: { readonly merchantIds: readonly string[]; readonly actor: string },
): Promise<ChangedChannel[]> {
  const values = [merchantIds, actor];
  return (await resources.database.pool.query<ChangedChannel>({ name: 'list-channels-changed-by', text: LIST, values })).rows;
}

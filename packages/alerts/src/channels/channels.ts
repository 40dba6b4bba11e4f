import type { AlertsContext } from '../context.ts';
import type { ListedChannel } from './channel-fields.ts';
import { listChannelRows } from './queries.ts';

export { createChannel, removeChannel, type TargetInput, testChannel, updateChannel } from './change-channels.ts';
export { type ChannelSettings, type ListedChannel, settingsOf } from './channel-fields.ts';
export { CHANNEL_KINDS, sealedTargets } from './targets.ts';

const LISTED_MAX = 500;
const LIST = `
SELECT channel.merchant_id AS "merchantId", channel.id AS "channelId", channel.name, max(entry.created_at) AS at
FROM notification_channel AS channel
JOIN audit_entry AS entry ON entry.tenant_id = channel.merchant_id AND entry.object_id = channel.id::text
WHERE channel.merchant_id = ANY($1::uuid[]) AND channel.removed_at IS NULL AND entry.actor = $2
GROUP BY 1, 2, 3 ORDER BY at DESC LIMIT ${LISTED_MAX}`;

/** A channel, and when a staff user added or last changed it. */
interface ChangedChannel {
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

/** A channel with the result of its last message. */
interface ChannelInList extends ListedChannel {
  readonly last: { readonly state: 'SENT' | 'FAILED'; readonly error: string | null; readonly at: Date } | null;
}

/** Channels of these merchants, oldest first; with the nil UUID among them those of the workspace. Never their targets. */
export async function listChannels(context: AlertsContext, merchantIds: readonly string[]): Promise<ChannelInList[]> {
  const { database } = context.resources;
  const channels = await listChannelRows(database, merchantIds);
  if (channels.length === 0) return [];
  const ids = channels.map(({ id }) => id);
  const last = await database.prisma.$queryRaw<{ channelId: string; state: 'SENT' | 'FAILED'; error: string | null; at: Date }[]>`
    SELECT channel.id AS "channelId", last.state::text AS state, last.error, last.updated_at AS at
    FROM unnest(${ids}::uuid[]) AS channel (id), LATERAL (
      SELECT state, error, updated_at FROM notification WHERE channel_id = channel.id AND state IN ('SENT', 'FAILED')
      ORDER BY updated_at DESC LIMIT 1) AS last`;
  return channels.map((channel) => {
    const own = last.find(({ channelId }) => channelId === channel.id);
    return { ...channel, last: own === undefined ? null : { state: own.state, error: own.error, at: own.at } };
  });
}

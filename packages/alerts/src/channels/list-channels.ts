import type { AlertsContext } from '../context.ts';
import type { ListedChannel } from './channel-fields.ts';
import { listChannelRows } from './queries.ts';

/** A channel with the result of its last message. */
export interface ChannelInList extends ListedChannel {
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

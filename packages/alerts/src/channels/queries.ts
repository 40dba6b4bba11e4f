import { type Database, enqueueJob, isUuid, NIL_ID, toPrismaJson } from '@switchyard/db';
import { type NotificationChannel, Prisma } from '@switchyard/db/client';
import type { ChannelSettings, ListedChannel } from './channel-fields.ts';

/** Identifies a channel. */
export interface ChannelKey {
  /** The nil UUID for a channel of the workspace. */
  readonly merchantId: string;
  readonly channelId: string;
}

const withoutTarget = { target: true } as const;
const CHANNELS_MAX = 5_000;

/** The columns of a channel's settings. */
export function columnsOf({ escalation, quietHours, modes, kinds, ...settings }: ChannelSettings) {
  return {
    ...settings,
    modes: [...modes],
    kinds: [...kinds],
    quietHours: quietHours === null ? Prisma.DbNull : toPrismaJson(quietHours),
    escalateAfterMinutes: escalation?.afterMinutes ?? null,
    escalateToId: escalation?.toChannelId ?? null,
  };
}

/** Channels of these merchants that were not removed, oldest first; the workspace's with the nil UUID among them. */
export function listChannelRows(database: Database, merchantIds: readonly string[]): Promise<ListedChannel[]> {
  return database.prisma.notificationChannel.findMany({
    where: { merchantId: { in: [...merchantIds] }, removedAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: CHANNELS_MAX,
    omit: withoutTarget,
  });
}

/** All channels that were not removed. */
export function listAllChannels(transaction: Prisma.TransactionClient): Promise<ListedChannel[]> {
  return transaction.notificationChannel.findMany({ where: { removedAt: null }, take: CHANNELS_MAX, omit: withoutTarget });
}

/** A channel with its sealed target, or null. Any text is accepted as id. */
export async function findChannel(
  client: Prisma.TransactionClient,
  { merchantId, channelId }: ChannelKey,
): Promise<NotificationChannel | null> {
  if (!isUuid(merchantId) || !isUuid(channelId)) return null;
  return client.notificationChannel.findUnique({ where: { merchantId_id: { merchantId, id: channelId }, removedAt: null } });
}

/** Channels that a channel of this merchant may escalate to: its own, and the workspace's. */
export async function mayEscalateTo(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  channelId: string,
): Promise<boolean> {
  const where = { id: channelId, merchantId: { in: [merchantId, NIL_ID] }, removedAt: null };
  return (await transaction.notificationChannel.count({ where })) > 0;
}

/** Stores a channel. */
export function insertChannel(
  transaction: Prisma.TransactionClient,
  key: ChannelKey,
  settings: ChannelSettings,
  row: Pick<NotificationChannel, 'kind' | 'target' | 'targetHint'>,
  now: Date,
): Promise<ListedChannel> {
  const { merchantId, channelId: id } = key;
  return transaction.notificationChannel.create({
    data: { merchantId, id, ...row, ...columnsOf(settings), enabled: true, createdAt: now, updatedAt: now },
    omit: withoutTarget,
  });
}

/** Changes the columns given. Throws when there is no such channel. */
export function updateChannelRow(
  transaction: Prisma.TransactionClient,
  { merchantId, channelId }: ChannelKey,
  changes: Prisma.NotificationChannelUpdateInput,
  now: Date,
): Promise<ListedChannel> {
  return transaction.notificationChannel.update({
    where: { merchantId_id: { merchantId, id: channelId } },
    data: { ...changes, updatedAt: now },
    omit: withoutTarget,
  });
}

/** Writes a test message with the job that sends it. */
export async function insertTestNotification(
  transaction: Prisma.TransactionClient,
  notificationId: string,
  channel: ChannelKey,
  now: Date,
): Promise<void> {
  const { merchantId, channelId } = channel;
  const of = { merchantId, id: notificationId, channelMerchantId: merchantId, channelId, event: 'test' as const };
  await transaction.notification.create({
    data: { ...of, state: 'PENDING', nextAttemptAt: now, createdAt: now, updatedAt: now },
  });
  await wakeChannel(transaction, channel, now);
}

/** Queues a job that sends what is due at a channel at a time. */
export function wakeChannel(transaction: Prisma.TransactionClient, channel: ChannelKey, runAt: Date): Promise<void> {
  const { merchantId, channelId } = channel;
  return enqueueJob(transaction, 'send-notifications', { merchantId, channelId }, { runAt, queue: queueOf(channelId) });
}

/** One queue per channel: a slow one holds up no other. */
export const queueOf = (channelId: string) => `notifications:${channelId}`;

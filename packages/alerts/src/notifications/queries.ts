import { enqueueJob, isUuid, newId } from '@switchyard/db';
import type { Incident, Notification, NotificationChannelKind, NotificationState, Prisma } from '@switchyard/db/client';
import type { ChannelKey } from '../channels/queries.ts';
import { queueOf, wakeChannel } from '../channels/queries.ts';
import type { AlertsContext } from '../context.ts';
import type { IncidentNotification, Mute, NotificationPlan, PlannedNotification } from './plan-notifications.ts';

/** Writes planned notifications with the jobs that send them. One that exists already is left as it is. */
export async function insertNotifications(
  transaction: Prisma.TransactionClient,
  { planned, skip }: NotificationPlan,
  now: Date,
): Promise<void> {
  if (skip.length > 0) {
    await transaction.notification.updateMany({
      where: {
        id: { in: skip.map(({ notificationId }) => notificationId) },
        state: 'PENDING',
        merchantId: { in: skip.map((one) => one.merchantId) },
      },
      data: { state: 'SKIPPED', error: 'absorbed', nextAttemptAt: null, updatedAt: now },
    });
  }
  if (planned.length === 0) return;
  await transaction.notification.createMany({ data: planned.map((one) => rowOf(one, now)), skipDuplicates: true });
  const wakes = new Map(
    planned.flatMap((one) => (one.sendAt === null ? [] : [[`${one.channelId} ${one.sendAt.getTime()}`, one]])),
  );
  for (const { channelMerchantId, channelId, sendAt } of wakes.values()) {
    await wakeChannel(transaction, { merchantId: channelMerchantId, channelId }, sendAt ?? now);
  }
}

function rowOf({ merchantId, incidentId, channelMerchantId, channelId, event, sendAt, skipped }: PlannedNotification, now: Date) {
  return {
    ...{ merchantId, id: newId(), incidentId, channelMerchantId, channelId, event },
    ...(sendAt === null ? { state: 'SKIPPED' as const, error: skipped } : { state: 'PENDING' as const, nextAttemptAt: sendAt }),
    createdAt: now,
    updatedAt: now,
  };
}

/** The messages sent about these incidents. */
export async function listIncidentNotifications(
  transaction: Prisma.TransactionClient,
  incidents: readonly Pick<Incident, 'merchantId' | 'id'>[],
): Promise<IncidentNotification[]> {
  if (incidents.length === 0) return [];
  const rows = await transaction.notification.findMany({
    where: {
      merchantId: { in: [...new Set(incidents.map(({ merchantId }) => merchantId))] },
      incidentId: { in: incidents.map(({ id }) => id) },
    },
  });
  return rows.flatMap(({ merchantId, id: notificationId, incidentId, channelId, event, state, attempts, createdAt }) =>
    incidentId === null ? [] : [{ merchantId, notificationId, incidentId, channelId, event, state, attempts, createdAt }],
  );
}

/** Kinds that are muted now. */
export function listMutes(transaction: Prisma.TransactionClient, now: Date): Promise<Mute[]> {
  return transaction.incidentMute.findMany({ where: { mutedUntil: { gt: now } } });
}

const CLAIMED_MAX = 50;

/**
 * Leases what is due at a channel, oldest first, at most 50, and with it what waits only to be grouped: `groupedUntil` is when that is due
 * at the latest. An expired lease makes it due again; concurrent claims get different ones.
 */
export async function claimDueNotifications(
  transaction: Prisma.TransactionClient,
  channelId: string,
  { now, leaseMs, groupedUntil }: { readonly now: Date; readonly leaseMs: number; readonly groupedUntil: Date },
): Promise<Notification[]> {
  const locked = await transaction.$queryRaw<{ merchantId: string; id: string; due: boolean }[]>`
    SELECT merchant_id AS "merchantId", id, next_attempt_at <= ${now}::timestamptz AS due FROM notification
    WHERE channel_id = ${channelId}::uuid AND state = 'PENDING'
      AND (next_attempt_at <= ${now}::timestamptz OR attempts = 0 AND next_attempt_at <= ${groupedUntil}::timestamptz)
    ORDER BY next_attempt_at, id LIMIT ${CLAIMED_MAX} FOR UPDATE SKIP LOCKED`;
  if (!locked.some(({ due }) => due)) return [];
  const where = { merchantId: { in: locked.map((one) => one.merchantId) }, id: { in: locked.map(({ id }) => id) } };
  await transaction.notification.updateMany({
    where,
    data: { attempts: { increment: 1 }, nextAttemptAt: new Date(now.getTime() + leaseMs), updatedAt: now },
  });
  return transaction.notification.findMany({ where, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
}

/** The result of sending a message. */
export type NotificationResult =
  | { readonly state: 'SENT'; readonly httpStatus: number | null }
  | {
      readonly state: 'PENDING';
      readonly retryAt: Date;
      readonly error: string | null;
      readonly httpStatus: number | null;
      readonly counts: boolean;
    }
  | { readonly state: 'FAILED' | 'SKIPPED'; readonly error: string; readonly httpStatus: number | null };

/** Records the result of the message that claimed notifications went into. Another claim's result is not overwritten. */
export async function settleNotifications(
  client: Prisma.TransactionClient,
  claimed: readonly Notification[],
  messageId: string,
  result: NotificationResult,
  now: Date,
): Promise<void> {
  for (const { merchantId, id, attempts } of claimed) {
    await client.notification.updateMany({
      where: { merchantId, id, attempts, state: 'PENDING' },
      data: { messageId, updatedAt: now, ...columnsOf(result, attempts, now) },
    });
  }
}

function columnsOf(result: NotificationResult, attempts: number, now: Date) {
  switch (result.state) {
    case 'SENT':
      return { state: result.state, httpStatus: result.httpStatus, error: null, nextAttemptAt: null, sentAt: now };
    case 'PENDING': {
      const { retryAt, error, httpStatus, counts } = result;
      return { state: result.state, nextAttemptAt: retryAt, error, httpStatus, attempts: counts ? attempts : attempts - 1 };
    }
    case 'FAILED':
    case 'SKIPPED':
      return { state: result.state, nextAttemptAt: null, error: result.error, httpStatus: result.httpStatus };
    default:
      return result satisfies never;
  }
}

/** Queues a job for what is next due at a channel, if anything is. */
export async function wakeForNext(transaction: Prisma.TransactionClient, channel: ChannelKey): Promise<void> {
  const { merchantId, channelId } = channel;
  const [next] = await transaction.$queryRaw<{ at: Date }[]>`
    SELECT next_attempt_at AS at FROM notification WHERE channel_id = ${channelId}::uuid AND state = 'PENDING'
    ORDER BY next_attempt_at LIMIT 1`;
  if (next === undefined) return;
  const options = { key: `${queueOf(channelId)}:next`, runAt: next.at, queue: queueOf(channelId) };
  await enqueueJob(transaction, 'send-notifications', { merchantId, channelId }, options);
}

/** A line of the log of messages. */
export interface NotificationInList extends Notification {
  readonly channelName: string;
  readonly channelKind: NotificationChannelKind | null;
  readonly incident: Incident | null;
}

/** Filter of the lines of the log. */
export interface NotificationFilter {
  /** With the nil UUID among them also those of the workspace. */
  readonly merchantIds: readonly string[];
  /** The merchants whose channels are shown: a merchant's people do not see who else is notified. */
  readonly channelMerchantIds: readonly string[];
  readonly incidentId: string | null;
  readonly channelId: string | null;
}

/** A page of the log. */
export interface NotificationQuery extends NotificationFilter {
  /** Null for any. */
  readonly state: NotificationState | null;
  readonly newestFirst: boolean;
  readonly after: string | null;
  readonly limit: number;
}

/** The log of messages. */
export async function listNotifications(
  context: AlertsContext,
  { state, newestFirst, after, limit, ...filter }: NotificationQuery,
): Promise<{ readonly items: readonly NotificationInList[]; readonly next: string | null }> {
  const { prisma } = context.resources.database;
  const rows = await prisma.notification.findMany({
    where: {
      ...whereOf(filter),
      ...(state !== null && { state }),
      ...(after !== null && isUuid(after) && { id: newestFirst ? { lt: after } : { gt: after } }),
    },
    orderBy: { id: newestFirst ? 'desc' : 'asc' },
    take: limit + 1,
  });
  const page = rows.slice(0, limit);
  const channels = await prisma.notificationChannel.findMany({
    where: { id: { in: [...new Set(page.map((row) => row.channelId))] } },
    select: { id: true, name: true, kind: true },
  });
  const incidents = await prisma.incident.findMany({
    where: { merchantId: { in: [...filter.merchantIds] }, id: { in: page.flatMap((row) => row.incidentId ?? []) } },
  });
  const items = page.map((row) => {
    const channel = channels.find(({ id }) => id === row.channelId);
    const incident = incidents.find(({ id }) => id === row.incidentId) ?? null;
    return { ...row, channelName: channel?.name ?? '', channelKind: channel?.kind ?? null, incident };
  });
  return { items, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}

/** How many lines the log has in each state. */
export async function countNotifications(
  context: AlertsContext,
  filter: NotificationFilter,
): Promise<Record<NotificationState, number>> {
  const { prisma } = context.resources.database;
  const groups = await prisma.notification.groupBy({ by: 'state', where: whereOf(filter), _count: true });
  const counts = { PENDING: 0, SENT: 0, FAILED: 0, SKIPPED: 0 };
  for (const { state, _count } of groups) counts[state] = _count;
  return counts;
}

function whereOf({ merchantIds, channelMerchantIds, incidentId, channelId }: NotificationFilter): Prisma.NotificationWhereInput {
  return {
    merchantId: { in: [...merchantIds] },
    channelMerchantId: { in: [...channelMerchantIds] },
    ...(incidentId !== null && { incidentId }),
    ...(channelId !== null && { channelId }),
  };
}

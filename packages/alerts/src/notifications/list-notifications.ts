import { isUuid } from '@switchyard/db';
import type { Incident, Notification, NotificationChannelKind, NotificationState, Prisma } from '@switchyard/db/client';
import type { AlertsContext } from '../context.ts';

/** A line of the log of messages. */
export interface NotificationInList extends Notification {
  readonly channelName: string;
  readonly channelKind: NotificationChannelKind | null;
  readonly incident: Incident | null;
}

/** Which lines of the log. */
export interface NotificationFilter {
  /** With the nil UUID among them also those of the workspace. */
  readonly merchantIds: readonly string[];
  /** Whose channels are shown: a merchant's people do not see who else is told. */
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

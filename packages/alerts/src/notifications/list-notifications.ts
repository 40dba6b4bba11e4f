import { isUuid } from '@switchyard/db';
import type { Incident, Notification, NotificationChannelKind } from '@switchyard/db/client';
import type { MerchantsContext } from '@switchyard/merchants';

/** A line of the log of messages. */
export interface NotificationInList extends Notification {
  readonly channelName: string;
  readonly channelKind: NotificationChannelKind | null;
  readonly incident: Incident | null;
}

/** Which lines of the log. */
export interface NotificationQuery {
  /** With the nil UUID among them also those of the workspace. */
  readonly merchantIds: readonly string[];
  /** Whose channels are shown: a merchant's people do not see who else is told. */
  readonly channelMerchantIds: readonly string[];
  readonly incidentId: string | null;
  readonly channelId: string | null;
  readonly after: string | null;
  readonly limit: number;
}

/** The log of messages, the latest first. */
export async function listNotifications(
  context: MerchantsContext,
  { merchantIds, channelMerchantIds, incidentId, channelId, after, limit }: NotificationQuery,
): Promise<{ readonly items: readonly NotificationInList[]; readonly next: string | null }> {
  const { prisma } = context.resources.database;
  const rows = await prisma.notification.findMany({
    where: {
      merchantId: { in: [...merchantIds] },
      channelMerchantId: { in: [...channelMerchantIds] },
      ...(incidentId !== null && { incidentId }),
      ...(channelId !== null && { channelId }),
      ...(after !== null && isUuid(after) && { id: { lt: after } }),
    },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const page = rows.slice(0, limit);
  const channels = await prisma.notificationChannel.findMany({
    where: { id: { in: [...new Set(page.map((row) => row.channelId))] } },
    select: { id: true, name: true, kind: true },
  });
  const incidents = await prisma.incident.findMany({
    where: { merchantId: { in: [...merchantIds] }, id: { in: page.flatMap((row) => row.incidentId ?? []) } },
  });
  const items = page.map((row) => {
    const channel = channels.find(({ id }) => id === row.channelId);
    const incident = incidents.find(({ id }) => id === row.incidentId) ?? null;
    return { ...row, channelName: channel?.name ?? '', channelKind: channel?.kind ?? null, incident };
  });
  return { items, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}

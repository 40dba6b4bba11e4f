import type { Database } from '@switchyard/db';
import type { GatewayWebhook } from '@switchyard/db/client';

/** A stored gateway webhook without its body. */
export type ListedGatewayWebhook = Omit<GatewayWebhook, 'body'>;

/** The end of a page of gateway webhooks. */
export interface GatewayWebhookKey {
  readonly receivedAt: Date;
  readonly id: string;
}

/** Stored gateway webhooks of an account, newest first. */
export async function listGatewayWebhookRows(
  database: Database,
  { merchantId, accountId }: { readonly merchantId: string; readonly accountId: string },
  after: GatewayWebhookKey | null,
  limit: number,
): Promise<ListedGatewayWebhook[]> {
  return database.prisma.gatewayWebhook.findMany({
    omit: { body: true },
    where: {
      merchantId,
      accountId,
      ...(after && { OR: [{ receivedAt: { lt: after.receivedAt } }, { receivedAt: after.receivedAt, id: { lt: after.id } }] }),
    },
    orderBy: [{ receivedAt: 'desc' }, { id: 'desc' }],
    take: limit,
  });
}

/** The number of webhooks to an account that were refused in one hour for one reason. */
export interface RefusedWebhookCount {
  readonly why: string;
  readonly hourAt: Date;
  readonly count: number;
}

/** Refused webhooks by hour and reason since a time, latest hour first. */
export async function readRefusedWebhooks(
  database: Database,
  { merchantId, accountId }: { readonly merchantId: string; readonly accountId: string },
  since: Date,
  limit: number,
): Promise<RefusedWebhookCount[]> {
  return database.prisma.refusedWebhook.findMany({
    select: { why: true, hourAt: true, count: true },
    where: { merchantId, accountId, hourAt: { gte: since } },
    orderBy: [{ hourAt: 'desc' }, { why: 'asc' }],
    take: limit,
  });
}

import type { Database } from '@switchyard/db';
import { type GatewayWebhook, type GatewayWebhookState, Prisma } from '@switchyard/db/client';
import { compares, countByValue, type ValueCount } from '@switchyard/db/lists';

/** Every state of a gateway webhook. */
export const GATEWAY_WEBHOOK_STATES = ['RECEIVED', 'PROCESSED', 'IGNORED'] as const satisfies readonly GatewayWebhookState[];

/** A stored gateway webhook without its body. */
export type ListedGatewayWebhook = Omit<GatewayWebhook, 'body' | 'packedBody'>;

/** The end of a page of gateway webhooks. */
export interface GatewayWebhookKey {
  readonly receivedAt: Date;
  readonly id: string;
}

/** A gateway account. */
interface AccountKey {
  readonly merchantId: string;
  readonly accountId: string;
}

/** When gateway webhooks were received. */
export interface ReceivedWithin {
  /** Inclusive; null for any. */
  readonly receivedFrom: Date | null;
  /** Exclusive; null for any. */
  readonly receivedTo: Date | null;
}

/** A page of an account's gateway webhooks, by when they were received. */
export interface GatewayWebhookPagePart extends ReceivedWithin {
  /** Null for any. */
  readonly state: GatewayWebhookState | null;
  readonly newestFirst: boolean;
  /** Only those after this one in the order of the page; null from the beginning. */
  readonly after: GatewayWebhookKey | null;
  readonly limit: number;
}

/** Stored gateway webhooks of an account. Each state's are read by an index, so that rare ones are found among many others. */
export async function listGatewayWebhookRows(
  database: Database,
  { merchantId, accountId }: AccountKey,
  { state, newestFirst, after, limit, ...received }: GatewayWebhookPagePart,
): Promise<ListedGatewayWebhook[]> {
  const states = state === null ? GATEWAY_WEBHOOK_STATES : [state];
  const order = Prisma.raw(newestFirst ? 'received_at DESC, id DESC' : 'received_at, id');
  const beyond = Prisma.raw(newestFirst ? '<' : '>');
  const conditions = [
    ...isOfAccount(accountId, received),
    Prisma.sql`p.state = wanted.state::gateway_webhook_state`,
    ...(after === null
      ? []
      : [Prisma.sql`(p.received_at, p.id) ${beyond} (${after.receivedAt}::timestamptz, ${after.id}::uuid)`]),
  ];
  const page = await database.prisma.$queryRaw<{ id: string }[]>`
    SELECT part.id FROM unnest(${states}::text[]) AS wanted (state) CROSS JOIN LATERAL (
      SELECT p.received_at, p.id FROM gateway_webhook AS p
      WHERE p.merchant_id = ${merchantId}::uuid AND ${Prisma.join(conditions, ' AND ')}
      ORDER BY ${order} LIMIT ${limit}) AS part
    ORDER BY ${order} LIMIT ${limit}`;
  const direction = newestFirst ? 'desc' : 'asc';
  return database.prisma.gatewayWebhook.findMany({
    omit: { body: true, packedBody: true },
    where: { merchantId, id: { in: page.map(({ id }) => id) } },
    orderBy: [{ receivedAt: direction }, { id: direction }],
  });
}

/** Counts an account's gateway webhooks by state. Null where that took too long. */
export function countGatewayWebhooksByState(
  database: Database,
  { merchantId, accountId }: AccountKey,
  received: ReceivedWithin,
): Promise<ValueCount[] | null> {
  const list = {
    table: 'gateway_webhook',
    merchantIds: [merchantId],
    conditions: isOfAccount(accountId, received),
    by: 'merchant',
  } as const;
  return countByValue(database.prisma, list, {
    column: 'state',
    type: 'gateway_webhook_state',
    values: GATEWAY_WEBHOOK_STATES,
  });
}

function isOfAccount(accountId: string, { receivedFrom, receivedTo }: ReceivedWithin): Prisma.Sql[] {
  return [
    Prisma.sql`p.account_id = ${accountId}::uuid`,
    ...compares('p.received_at >=', receivedFrom, 'timestamptz'),
    ...compares('p.received_at <', receivedTo, 'timestamptz'),
  ];
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
  { merchantId, accountId }: AccountKey,
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

import { type Database, isUuid } from '@switchyard/db';
import {
  type DeliveryState,
  type MerchantEvent,
  Prisma,
  type WebhookDelivery,
  type WebhookDeliveryAttempt,
} from '@switchyard/db/client';
import {
  countByValue,
  countOf,
  countOfAll,
  type ListCount,
  selectTimePage,
  type TenantList,
  type TimeKey,
  type ValueCount,
} from '@switchyard/db/lists';
import type { WebhooksContext } from '../context.ts';
import type { WebhookEndpointKey } from '../endpoints/queries.ts';
import { readEventBody } from '../events/packed-event.ts';
import { DELIVERY_STATES, type DeliveryFilter, deliveryList, IS_PENDING } from './delivery-noun.ts';
import { listWebhookResends, type WebhookResendProgress } from './resends-queries.ts';

const PAGE_MAX = 200;
const RESENDS_LISTED = 10;

/** A filter and the page of its result. */
export type ListDeliveriesQuery = DeliveryFilter & {
  /** The last delivery of the previous page. */
  readonly after: DeliveryKey | null;
  /** At most 200. */
  readonly limit: number;
  /** Newest first where it is left out. */
  readonly sort?: DeliveryOrder;
};

export interface DeliveryPage {
  readonly deliveries: readonly WebhookDelivery[];
  /** Null on the last page. */
  readonly next: DeliveryKey | null;
}

const NEWEST_FIRST: DeliveryOrder = { by: 'created', descending: true };

/** A page of sent and pending deliveries, newest first unless another order is wanted. */
export async function listDeliveries(
  context: WebhooksContext,
  { after, limit: wanted, sort = NEWEST_FIRST, ...filter }: ListDeliveriesQuery,
): Promise<DeliveryPage> {
  const limit = Math.min(Math.max(1, wanted), PAGE_MAX);
  const rows = await listWebhookDeliveries(context.resources.database, filter, { after, limit: limit + 1, sort });
  const deliveries = rows.slice(0, limit);
  const last = rows.length > limit ? deliveries.at(-1) : undefined;
  const next = last === undefined ? null : keyOf(last);
  return { deliveries, next };
}

function keyOf({ createdAt, id, attempts, state, nextAttemptAt }: WebhookDelivery): DeliveryKey {
  return { createdAt, id, attempts, nextAttemptAt: state === 'PENDING' ? nextAttemptAt : null };
}

/** The numbers of deliveries that a filter has in each state. */
export interface DeliveryCounts {
  /** The count of all states together, whatever states the filter names. */
  readonly all: ListCount;
  readonly byState: Readonly<Record<DeliveryState, ListCount>>;
}

/** Counts a filter's deliveries by state. Null where that took too long to wait for. */
export async function countDeliveries(context: WebhooksContext, filter: DeliveryFilter): Promise<DeliveryCounts | null> {
  const found = await countDeliveriesByState(context.resources.database, filter, DELIVERY_STATES);
  if (found === null) return null;
  const byState = {
    PENDING: countOf(found, 'PENDING'),
    DELIVERED: countOf(found, 'DELIVERED'),
    FAILED: countOf(found, 'FAILED'),
  };
  return { all: countOfAll(found), byState };
}

/** One delivery with its event and every attempt, or null. Any text is accepted as id. */
export async function findDelivery(
  context: WebhooksContext,
  { merchantId, deliveryId }: { readonly merchantId: string; readonly deliveryId: string },
): Promise<WebhookDeliveryDetail | null> {
  return findWebhookDelivery(context.resources.database.prisma, merchantId, deliveryId);
}

/** The latest resends to an endpoint, newest first, at most 10. */
export async function listResends(context: WebhooksContext, key: WebhookEndpointKey): Promise<WebhookResendProgress[]> {
  return listWebhookResends(context.resources.database, key, RESENDS_LISTED);
}

/**
 * Order of deliveries: by their time of creation, by the number of their attempts and then their time of creation, or by the time of
 * their next attempt. Those that are not attempted again come after all others then, the newest first.
 */
interface DeliveryOrder {
  readonly by: 'created' | 'attempts' | 'next';
  readonly descending: boolean;
}

/** The position of a delivery in a list. */
interface DeliveryKey extends TimeKey {
  /** Needed where the list is sorted by attempts. */
  readonly attempts: number | null;
  /** Where the list is sorted by the next attempt: null for a delivery without one. */
  readonly nextAttemptAt: Date | null;
}

/** The part of a list that a page shows. */
export interface DeliveryPagePart {
  /** Only deliveries after this one in the order of the page; null from the beginning, as for one without what the list is sorted by. */
  readonly after: DeliveryKey | null;
  readonly limit: number;
  readonly sort: DeliveryOrder;
}

/** A page of deliveries, in the order wanted. */
async function listWebhookDeliveries(
  database: Database,
  filter: DeliveryFilter,
  page: DeliveryPagePart,
): Promise<WebhookDelivery[]> {
  const ids = await database.prisma.$queryRaw<{ id: string }[]>(selectPage(deliveryList(filter), page));
  const rows = await database.prisma.webhookDelivery.findMany({
    where: { merchantId: { in: [...filter.merchantIds] }, id: { in: ids.map(({ id }) => id) } },
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap(({ id }) => byId.get(id) ?? []);
}

function selectPage(list: TenantList, page: DeliveryPagePart): Prisma.Sql {
  const { after, limit, sort } = page;
  switch (sort.by) {
    case 'created':
      return selectTimePage(list, { after, before: null, newestFirst: sort.descending, limit });
    case 'attempts':
      return selectPageByAttempts(list, page);
    case 'next':
      return selectPageByNextAttempt(list, page);
    default:
      return sort.by satisfies never;
  }
}

/*
 * Each part has an index of its own: pending deliveries are few, finished ones have one attempt as a rule, and the others are in
 * `webhook_delivery_by_settled_attempts`. One index of all would be written three times for every delivery.
 */
const PARTS_BY_ATTEMPTS = [
  { part: IS_PENDING, attempts: Prisma.raw('p.attempts') },
  { part: Prisma.sql`p.state <> 'PENDING' AND p.attempts = 1`, attempts: Prisma.raw('p.attempts') },
  { part: Prisma.sql`p.settled_attempts IS NOT NULL`, attempts: Prisma.raw('p.settled_attempts') },
];

function selectPageByAttempts(
  { table, merchantIds, conditions }: TenantList,
  { after, limit, sort }: DeliveryPagePart,
): Prisma.Sql {
  const direction = sort.descending ? 'DESC' : 'ASC';
  const order = Prisma.raw(`attempts ${direction}, created_at ${direction}, id ${direction}`);
  const beyond = Prisma.raw(sort.descending ? '<' : '>');
  const parts = PARTS_BY_ATTEMPTS.map(({ part, attempts }) => {
    const rest =
      after === null || after.attempts === null
        ? []
        : [
            Prisma.sql`(${attempts}, p.created_at, p.id) ${beyond}
              (${after.attempts}::int4, ${after.createdAt}::timestamptz, ${after.id}::uuid)`,
          ];
    const where = Prisma.join([...conditions, part, ...rest], ' AND ');
    return Prisma.sql`(SELECT p.merchant_id, ${attempts} AS attempts, p.created_at, p.id FROM ${Prisma.raw(table)} AS p
      WHERE p.merchant_id = tenant.id AND ${where} ORDER BY ${order} LIMIT ${limit})`;
  });
  return Prisma.sql`SELECT part.id FROM tenant CROSS JOIN LATERAL (${Prisma.join(parts, ' UNION ALL ')}) AS part
    WHERE tenant.id = ANY (${merchantIds}::uuid[]) ORDER BY ${order} LIMIT ${limit}`;
}

/*
 * Pending deliveries by `due_delivery`, then the others by when they were created. A page of the others does not look for pending
 * ones any more.
 */
function selectPageByNextAttempt(
  { table, merchantIds, conditions }: TenantList,
  { after, limit, sort }: DeliveryPagePart,
): Prisma.Sql {
  const direction = Prisma.raw(sort.descending ? 'DESC' : 'ASC');
  const beyond = Prisma.raw(sort.descending ? '<' : '>');
  const from = Prisma.raw(`${table} AS p`);
  const where = Prisma.join([Prisma.sql`p.merchant_id = tenant.id`, ...conditions], ' AND ');
  const columns = Prisma.raw('p.merchant_id, p.state, p.next_attempt_at, p.created_at, p.id');
  const inRest = after !== null && after.nextAttemptAt === null;
  const afterPending =
    after === null
      ? Prisma.sql`true`
      : Prisma.sql`(p.next_attempt_at, p.id) ${beyond} (${after.nextAttemptAt}::timestamptz, ${after.id}::uuid)`;
  const pending = Prisma.sql`(SELECT ${columns} FROM ${from}
        WHERE ${where} AND ${IS_PENDING} AND p.next_attempt_at IS NOT NULL AND ${afterPending}
        ORDER BY p.next_attempt_at ${direction}, p.id ${direction} LIMIT ${limit})`;
  const afterRest = inRest
    ? Prisma.sql`(p.created_at, p.id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`
    : Prisma.sql`true`;
  const rest = Prisma.sql`(SELECT ${columns} FROM ${from}
        WHERE ${where} AND (p.state <> 'PENDING' OR p.next_attempt_at IS NULL) AND ${afterRest}
        ORDER BY p.created_at DESC, p.id DESC LIMIT ${limit})`;
  const waits = Prisma.raw("part.state = 'PENDING' AND part.next_attempt_at IS NOT NULL");
  return Prisma.sql`SELECT part.id FROM tenant CROSS JOIN LATERAL (${Prisma.join(inRest ? [rest] : [pending, rest], ' UNION ALL ')}) AS part
    WHERE tenant.id = ANY (${merchantIds}::uuid[])
    ORDER BY (${waits}) DESC, CASE WHEN ${waits} THEN part.next_attempt_at END ${direction},
      CASE WHEN ${waits} THEN part.id END ${direction}, part.created_at DESC, part.id DESC
    LIMIT ${limit}`;
}

/** Counts a filter's deliveries by state, whatever states it names itself. Null where that took too long. */
function countDeliveriesByState(
  database: Database,
  filter: DeliveryFilter,
  states: readonly DeliveryState[],
): Promise<ValueCount[] | null> {
  const list = deliveryList({ ...filter, states: [] });
  return countByValue(database.prisma, list, { column: 'state', type: 'delivery_state', values: states });
}

/** A delivery with its payload and every attempt so far, the latest first, at most 200. */
interface WebhookDeliveryDetail {
  readonly delivery: WebhookDelivery;
  readonly event: Omit<MerchantEvent, 'packedBody'> & { readonly body: string };
  readonly attempts: readonly WebhookDeliveryAttempt[];
}

const ATTEMPTS_MAX = 200;

/** A delivery with its event and attempts, the latest first; null when there is none, or an id is no UUID. */
export async function findWebhookDelivery(
  client: Prisma.TransactionClient,
  merchantId: string,
  deliveryId: string,
): Promise<WebhookDeliveryDetail | null> {
  if (!isUuid(merchantId) || !isUuid(deliveryId)) return null;
  const delivery = await client.webhookDelivery.findUnique({ where: { merchantId_id: { merchantId, id: deliveryId } } });
  if (delivery === null) return null;
  const [event, attempts] = await Promise.all([
    client.merchantEvent.findUnique({ where: { merchantId_id: { merchantId, id: delivery.eventId } } }),
    client.webhookDeliveryAttempt.findMany({
      where: { merchantId, deliveryId },
      orderBy: { number: 'desc' },
      take: ATTEMPTS_MAX,
    }),
  ]);
  if (event === null) return null;
  const { packedBody, ...record } = event;
  const body = readEventBody({ ...record, packedBody });
  return { delivery, event: { ...record, body }, attempts: withFirstAttempt(delivery, attempts) };
}

/** The attempts of a delivery, the latest first, with the one that has no row because it delivered the event at once. */
export function withFirstAttempt(
  { merchantId, id: deliveryId, endpointId, url, durationMs, deliveredAt, lastStatus, answer }: WebhookDelivery,
  rows: readonly WebhookDeliveryAttempt[],
): WebhookDeliveryAttempt[] {
  if (url === null || durationMs === null || deliveredAt === null || rows.length > 0) return [...rows];
  const startedAt = new Date(deliveredAt.getTime() - durationMs);
  const key = { merchantId, deliveryId, number: 1, endpointId };
  return [{ ...key, url, startedAt, durationMs, delivered: true, status: lastStatus, failure: null, answer }];
}

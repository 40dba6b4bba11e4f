import type { DeliveryState, WebhookDelivery } from '@switchyard/db/client';
import { countOf, countOfAll, type ListCount } from '@switchyard/db/lists';
import type { WebhooksContext } from '../context.ts';
import type { WebhookEndpointKey } from '../endpoints/queries.ts';
import {
  countDeliveriesByState,
  type DeliveryKey,
  type DeliveryOrder,
  findWebhookDelivery,
  listWebhookDeliveries,
  type WebhookDeliveryDetail,
} from './deliveries-queries.ts';
import type { DeliveryFilter } from './delivery-filter.ts';
import { listWebhookResends, type WebhookResendProgress } from './resends-queries.ts';

const PAGE_MAX = 200;
const RESENDS_LISTED = 10;

/** A filter and the page of its result. */
export interface ListDeliveriesQuery extends DeliveryFilter {
  /** The last delivery of the previous page. */
  readonly after: DeliveryKey | null;
  /** At most 200. */
  readonly limit: number;
  /** Newest first where it is left out. */
  readonly sort?: DeliveryOrder;
}

/** A page of deliveries. */
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
  /** Of all states together, whatever states the filter names. */
  readonly all: ListCount;
  readonly byState: Readonly<Record<DeliveryState, ListCount>>;
}

const STATES = ['PENDING', 'DELIVERED', 'FAILED'] as const satisfies readonly DeliveryState[];

/** Counts a filter's deliveries by state. Null where that took too long to wait for. */
export async function countDeliveries(context: WebhooksContext, filter: DeliveryFilter): Promise<DeliveryCounts | null> {
  const found = await countDeliveriesByState(context.resources.database, filter, STATES);
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

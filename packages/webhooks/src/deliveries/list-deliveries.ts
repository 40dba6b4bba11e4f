import type { DeliveryState, WebhookDelivery } from '@switchyard/db/client';
import { countOf, countOfAll, type ListCount, type TimeKey } from '@switchyard/db/lists';
import type { MerchantsContext } from '@switchyard/merchants';
import type { WebhookEndpointKey } from '../endpoints/queries.ts';
import {
  countDeliveriesByState,
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
  readonly after: TimeKey | null;
  /** At most 200. */
  readonly limit: number;
}

/** A page of deliveries, newest first. */
export interface DeliveryPage {
  readonly deliveries: readonly WebhookDelivery[];
  /** Null on the last page. */
  readonly next: TimeKey | null;
}

/** A page of sent and pending deliveries, newest first. */
export async function listDeliveries(context: MerchantsContext, query: ListDeliveriesQuery): Promise<DeliveryPage> {
  const limit = Math.min(Math.max(1, query.limit), PAGE_MAX);
  const rows = await listWebhookDeliveries(context.resources.database, query, query.after, limit + 1);
  const deliveries = rows.slice(0, limit);
  const last = rows.length > limit ? deliveries.at(-1) : undefined;
  return { deliveries, next: last === undefined ? null : { createdAt: last.createdAt, id: last.id } };
}

/** The numbers of deliveries that a filter has in each state. */
export interface DeliveryCounts {
  /** Of all states together, whatever states the filter names. */
  readonly all: ListCount;
  readonly byState: Readonly<Record<DeliveryState, ListCount>>;
}

const STATES = ['PENDING', 'DELIVERED', 'FAILED'] as const satisfies readonly DeliveryState[];

/** Counts a filter's deliveries by state. Null where that took too long to wait for. */
export async function countDeliveries(context: MerchantsContext, filter: DeliveryFilter): Promise<DeliveryCounts | null> {
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
  context: MerchantsContext,
  { merchantId, deliveryId }: { readonly merchantId: string; readonly deliveryId: string },
): Promise<WebhookDeliveryDetail | null> {
  return findWebhookDelivery(context.resources.database.prisma, merchantId, deliveryId);
}

/** The latest resends to an endpoint, newest first, at most 10. */
export async function listResends(context: MerchantsContext, key: WebhookEndpointKey): Promise<WebhookResendProgress[]> {
  return listWebhookResends(context.resources.database, key, RESENDS_LISTED);
}

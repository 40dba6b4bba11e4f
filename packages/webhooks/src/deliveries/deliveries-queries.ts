import type { Database } from '@switchyard/db';
import { enqueueJob, isUuid, newId } from '@switchyard/db';
import type { DeliveryState, MerchantEvent, Mode, Prisma, WebhookDelivery, WebhookDeliveryAttempt } from '@switchyard/db/client';
import { type BoundedCount, countByValue, selectTimePage, type TimeKey } from '@switchyard/db/lists';
import type { WebhookEndpointKey } from '../endpoints/queries.ts';
import { TEST_EVENT_TYPE } from '../events/announce-event.ts';
import { type DeliveryFilter, deliveryList } from './delivery-filter.ts';

/** A test event and its delivery to one endpoint, with the job that sends it. */
export async function announceTestEvent(
  transaction: Prisma.TransactionClient,
  { merchantId, endpointId }: WebhookEndpointKey,
  event: { readonly eventId: string; readonly mode: Mode; readonly body: string },
  now: Date,
): Promise<WebhookDelivery> {
  const { eventId, mode, body } = event;
  const about = { merchantId, paymentId: null, position: 0, type: TEST_EVENT_TYPE };
  await transaction.merchantEvent.create({ data: { ...about, id: eventId, mode, body, createdAt: now } });
  const delivery = await transaction.webhookDelivery.create({
    data: {
      ...about,
      id: newId(),
      endpointId,
      eventId,
      state: 'PENDING',
      attempts: 0,
      nextAttemptAt: now,
      createdAt: now,
      updatedAt: now,
    },
  });
  await enqueueJob(transaction, 'deliver-events', { merchantId, endpointId });
  return delivery;
}

/** A page of deliveries, newest first. */
export async function listWebhookDeliveries(
  database: Database,
  filter: DeliveryFilter,
  after: TimeKey | null,
  limit: number,
): Promise<WebhookDelivery[]> {
  const place = { after, before: null, newestFirst: true, limit };
  const page = await database.prisma.$queryRaw<{ id: string }[]>(selectTimePage(deliveryList(filter), place));
  return database.prisma.webhookDelivery.findMany({
    where: { merchantId: { in: [...filter.merchantIds] }, id: { in: page.map(({ id }) => id) } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
}

/** Counts a filter's deliveries by state, whatever states it names itself. Null where that took too long. */
export function countDeliveriesByState(
  database: Database,
  filter: DeliveryFilter,
  states: readonly DeliveryState[],
): Promise<BoundedCount[] | null> {
  const list = deliveryList({ ...filter, states: [] });
  return countByValue(database.prisma, list, { column: 'state', type: 'delivery_state', values: states });
}

/** A delivery with its payload and every attempt so far, the latest first, at most 200. */
export interface WebhookDeliveryDetail {
  readonly delivery: WebhookDelivery;
  readonly event: MerchantEvent;
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
  return event === null ? null : { delivery, event, attempts };
}

import type { Database } from '@switchyard/db';
import { enqueueJob, isUuid, newId } from '@switchyard/db';
import type { MerchantEvent, Mode, Prisma, WebhookDelivery, WebhookDeliveryAttempt } from '@switchyard/db/client';
import type { WebhookEndpointKey } from '../endpoints/queries.ts';
import { TEST_EVENT_TYPE } from '../events/announce-event.ts';

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

/** The end of a page of deliveries. */
export interface WebhookDeliveryKey {
  readonly createdAt: Date;
  readonly deliveryId: string;
}

export interface WebhookDeliveryFilter extends WebhookEndpointKey {
  readonly states: readonly WebhookDelivery['state'][];
  readonly types: readonly string[];
  /** The id of a delivery, an event or a payment; null for all. */
  readonly about: string | null;
  readonly from: Date | null;
  readonly to: Date | null;
}

/** A page of deliveries to an endpoint, newest first. */
export async function listWebhookDeliveries(
  database: Database,
  { merchantId, endpointId, states, types, about, from, to }: WebhookDeliveryFilter,
  after: WebhookDeliveryKey | null,
  limit: number,
): Promise<WebhookDelivery[]> {
  if (about !== null && !isUuid(about)) return [];
  const before = after && [{ createdAt: { lt: after.createdAt } }, { createdAt: after.createdAt, id: { lt: after.deliveryId } }];
  return database.prisma.webhookDelivery.findMany({
    where: {
      merchantId,
      endpointId,
      ...(states.length > 0 && { state: { in: [...states] } }),
      ...(types.length > 0 && { type: { in: [...types] } }),
      createdAt: { ...(from && { gte: from }), ...(to && { lt: to }) },
      AND: [
        ...(about === null ? [] : [{ OR: [{ id: about }, { eventId: about }, { paymentId: about }] }]),
        ...(before === null ? [] : [{ OR: before }]),
      ],
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit,
  });
}

/** A delivery with its payload and every attempt so far, the latest first, at most 200. */
export interface WebhookDeliveryDetail {
  readonly delivery: WebhookDelivery;
  readonly event: MerchantEvent;
  readonly attempts: readonly WebhookDeliveryAttempt[];
}

const ATTEMPTS_MAX = 200;

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

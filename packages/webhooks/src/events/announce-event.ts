import { enqueueJob, newId } from '@switchyard/db';
import type { Mode, Prisma } from '@switchyard/db/client';

/** Event types that merchants receive. Every refund that ends has one; a fully refunded payment has an additional one. */
export const MERCHANT_EVENT_TYPES = [
  'payment.succeeded',
  'payment.failed',
  'payment.refunded',
  'refund.succeeded',
  'refund.failed',
  'payment.requires_review',
  'payment.duplicate_charge',
] as const;

/** Type of an event that merchants' endpoints can subscribe to. */
export type MerchantEventType = (typeof MERCHANT_EVENT_TYPES)[number];

/** Type of the event that tests an endpoint. */
export const TEST_EVENT_TYPE = 'webhook.test';

/** An event about a payment, for its merchant. */
export interface NewMerchantEvent {
  readonly merchantId: string;
  /** The id of the timeline event of the same change, and the permanent id of the event record. */
  readonly eventId: string;
  readonly mode: Mode;
  readonly paymentId: string;
  /** The payment's version after the change; orders the events of one payment. */
  readonly position: number;
  readonly type: MerchantEventType;
  /** The event record, byte for byte as it is sent. */
  readonly body: string;
}

/**
 * Writes an event, with one delivery to each of the merchant's endpoints that subscribe to it and the jobs to send them, inside the
 * transaction of the change.
 */
export async function announceEvent(transaction: Prisma.TransactionClient, event: NewMerchantEvent, now: Date): Promise<void> {
  const { eventId, body, ...rest } = event;
  await transaction.merchantEvent.create({ data: { ...rest, id: eventId, body, createdAt: now } });
  const { merchantId, mode, paymentId, position, type } = event;
  const endpoints = await transaction.webhookEndpoint.findMany({
    where: { merchantId, mode, enabled: true, OR: [{ types: { isEmpty: true } }, { types: { has: type } }] },
    select: { id: true },
  });
  if (endpoints.length === 0) return;
  await transaction.webhookDelivery.createMany({
    data: endpoints.map(({ id: endpointId }) => ({
      merchantId,
      id: newId(),
      endpointId,
      eventId,
      paymentId,
      position,
      type,
      state: 'PENDING' as const,
      attempts: 0,
      nextAttemptAt: now,
      createdAt: now,
      updatedAt: now,
    })),
  });
  for (const { id: endpointId } of endpoints) {
    await enqueueJob(transaction, 'deliver-events', { merchantId, endpointId });
  }
}

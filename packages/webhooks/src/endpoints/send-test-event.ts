import { hintWorkers, newId } from '@switchyard/db';
import type { Mode, Prisma, WebhookDelivery } from '@switchyard/db/client';
import { findMerchantRow } from '@switchyard/merchants';
import type { WebhooksContext } from '../context.ts';
import { deliveryHints, TEST_EVENT_TYPE } from '../events/announce-event.ts';
import { packEventBody } from '../events/packed-event.ts';
import type { WebhookEndpointKey } from './queries.ts';
import { changeEndpoint } from './update-endpoint.ts';

/** The queued test delivery, or why there is none. */
export type SendTestEventOutcome =
  | { readonly kind: 'queued'; readonly deliveryId: string; readonly eventId: string }
  /** A disabled endpoint gets no test event. */
  | { readonly kind: 'switched_off' }
  | { readonly kind: 'not_found' };

/** Sends an endpoint a test event without a payment, once, regardless of its types. */
export async function sendTestEvent(
  context: WebhooksContext,
  command: WebhookEndpointKey & { readonly actor: string },
): Promise<SendTestEventOutcome> {
  const sent = await changeEndpoint<SendTestEventOutcome>(context, command, async (transaction, endpoint, now) => {
    if (!endpoint.enabled) return { outcome: { kind: 'switched_off' }, done: null };
    const merchant = await findMerchantRow(transaction, command.merchantId);
    const eventId = context.newId();
    const body = JSON.stringify({
      id: eventId,
      type: TEST_EVENT_TYPE,
      createdAt: now.toISOString(),
      merchantNumber: merchant?.merchantNumber ?? '',
      data: { endpointId: endpoint.id },
    });
    const delivery = await announceTestEvent(transaction, command, { eventId, mode: endpoint.mode, body }, now);
    const outcome = { kind: 'queued', deliveryId: delivery.id, eventId } as const;
    return { outcome, done: { action: 'test_event_sent', after: endpoint } };
  });
  if (sent.kind === 'queued') hintWorkers(context.resources.database, deliveryHints(command.merchantId, [command]));
  return sent;
}

/** A test event and its delivery to one endpoint. */
async function announceTestEvent(
  transaction: Prisma.TransactionClient,
  { merchantId, endpointId }: WebhookEndpointKey,
  event: { readonly eventId: string; readonly mode: Mode; readonly body: string },
  now: Date,
): Promise<WebhookDelivery> {
  const { eventId, mode, body } = event;
  const about = { merchantId, paymentId: null, position: 0, type: TEST_EVENT_TYPE };
  const packedBody = packEventBody({ id: eventId, paymentId: null }, body);
  await transaction.merchantEvent.create({ data: { ...about, id: eventId, mode, packedBody, createdAt: now } });
  return transaction.webhookDelivery.create({
    data: {
      ...about,
      id: newId(),
      endpointId,
      eventId,
      state: 'PENDING',
      attempts: 0,
      nextAttemptAt: now,
      dueAt: now,
      createdAt: now,
      updatedAt: now,
    },
  });
}

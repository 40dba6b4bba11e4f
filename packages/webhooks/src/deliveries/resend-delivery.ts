import { hintWorkers } from '@switchyard/db';
import { changeConfiguration } from '@switchyard/runtime';
import type { WebhooksContext } from '../context.ts';
import { findWebhookEndpoint } from '../endpoints/queries.ts';
import { deliveryHints } from '../events/announce-event.ts';
import { LEASE_MS } from './deliver.ts';
import { findWebhookDelivery } from './deliveries-queries.ts';
import { queueDeliveries } from './resends-queries.ts';

/** Asks to send one delivery again. */
export interface ResendDeliveryCommand {
  readonly merchantId: string;
  readonly deliveryId: string;
  readonly actor: string;
}

/** Result of queueing a delivery again. `switched_off`: its endpoint is disabled. */
export type ResendDeliveryOutcome =
  | { readonly kind: 'queued' }
  | { readonly kind: 'switched_off' }
  | { readonly kind: 'not_found' };

/** Sends one event to an endpoint again, or now instead of later: the same id and body, with a new signature. */
export async function resendDelivery(
  context: WebhooksContext,
  { merchantId, deliveryId, actor }: ResendDeliveryCommand,
): Promise<ResendDeliveryOutcome> {
  let endpointId: string | null = null;
  const resent = await changeConfiguration<ResendDeliveryOutcome>(context, { merchantId, actor }, async (transaction, now) => {
    const found = await findWebhookDelivery(transaction, merchantId, deliveryId);
    if (found === null) return { outcome: { kind: 'not_found' }, audit: null };
    const { delivery } = found;
    const endpoint = await findWebhookEndpoint(transaction, delivery);
    if (endpoint === null) return { outcome: { kind: 'not_found' }, audit: null };
    if (!endpoint.enabled) return { outcome: { kind: 'switched_off' }, audit: null };
    const event = { ...delivery, id: delivery.eventId };
    await queueDeliveries(transaction, delivery, [event], { now, leaseMs: LEASE_MS, resendId: null });
    endpointId = endpoint.id;
    return {
      outcome: { kind: 'queued' },
      audit: {
        action: 'webhook_delivery.resent',
        objectType: 'webhook_delivery',
        objectId: deliveryId,
        before: { state: delivery.state, attempts: delivery.attempts },
        after: { endpointId: endpoint.id, eventId: delivery.eventId, type: delivery.type },
      },
      inForce: false,
    };
  });
  hintWorkers(context.resources.database, deliveryHints(merchantId, [{ endpointId }]));
  return resent;
}

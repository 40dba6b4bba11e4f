import type { WebhooksContext } from '../context.ts';
import { giveUpDeliveries } from '../deliveries/due-deliveries-queries.ts';
import { changeEndpoint } from './change-endpoint.ts';
import { updateWebhookEndpoint, type WebhookEndpointKey } from './queries.ts';

/** Result of removing an endpoint. */
export type RemoveEndpointOutcome =
  /** `givenUp` is the number of its pending deliveries. */
  { readonly kind: 'removed'; readonly givenUp: number } | { readonly kind: 'not_found' };

/** Removes an endpoint for good, with its secrets. Its delivery records stay. */
export async function removeEndpoint(
  context: WebhooksContext,
  command: WebhookEndpointKey & { readonly actor: string },
): Promise<RemoveEndpointOutcome> {
  return changeEndpoint<RemoveEndpointOutcome>(context, command, async (transaction, _before, now) => {
    const changes = { enabled: false, removedAt: now, secrets: [], previousSecretEndsAt: null };
    const after = await updateWebhookEndpoint(transaction, command, changes, now);
    const givenUp = await giveUpDeliveries(transaction, command, now);
    return { outcome: { kind: 'removed', givenUp }, done: { action: 'removed', after } };
  });
}

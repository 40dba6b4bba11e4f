import type { MerchantsContext } from '@switchyard/merchants';
import { giveUpDeliveries } from '../deliveries/due-deliveries-queries.ts';
import { changeEndpoint } from './change-endpoint.ts';
import { updateWebhookEndpoint, type WebhookEndpointKey } from './queries.ts';

export type RemoveEndpointOutcome =
  /** `givenUp` is how many deliveries waited for it. */
  { readonly kind: 'removed'; readonly givenUp: number } | { readonly kind: 'not_found' };

/** Removes an endpoint for good, and its secrets with it. What was sent to it stays on record. */
export async function removeEndpoint(
  context: MerchantsContext,
  command: WebhookEndpointKey & { readonly actor: string },
): Promise<RemoveEndpointOutcome> {
  return changeEndpoint<RemoveEndpointOutcome>(context, command, async (transaction, _before, now) => {
    const changes = { enabled: false, removedAt: now, secrets: [], previousSecretEndsAt: null };
    const after = await updateWebhookEndpoint(transaction, command, changes, now);
    const givenUp = await giveUpDeliveries(transaction, command, now);
    return { outcome: { kind: 'removed', givenUp }, done: { action: 'removed', after } };
  });
}

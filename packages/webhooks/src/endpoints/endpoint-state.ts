import type { WebhooksContext } from '../context.ts';
import { giveUpDeliveries, type ListedWebhookEndpoint, updateWebhookEndpoint, type WebhookEndpointKey } from './queries.ts';
import { changeEndpoint } from './update-endpoint.ts';

/** Result of enabling or disabling an endpoint. */
export type EndpointStateOutcome =
  /** `givenUp` is the number of pending deliveries; they can be resent. */
  | { readonly kind: 'changed'; readonly endpoint: ListedWebhookEndpoint; readonly givenUp: number }
  | { readonly kind: 'unchanged'; readonly endpoint: ListedWebhookEndpoint }
  | { readonly kind: 'not_found' };

/**
 * Asks to disable an endpoint. `gone`: it answered 410. `failing`: deliveries failed for too long. `attemptedAt` is the beginning of the
 * attempt that showed it, which says nothing of an endpoint that was changed or enabled since.
 */
export type DisableEndpointCommand = WebhookEndpointKey & { readonly actor: string } & (
    | { readonly reason: 'staff' }
    | { readonly reason: 'gone' | 'failing'; readonly attemptedAt: Date }
  );

/** Disables an endpoint. Its pending deliveries are given up, and later events are not sent to it. */
export async function disableEndpoint(context: WebhooksContext, command: DisableEndpointCommand): Promise<EndpointStateOutcome> {
  return changeEndpoint<EndpointStateOutcome>(context, command, async (transaction, before, now) => {
    if (!before.enabled || isOutdated(command, before)) return { outcome: { kind: 'unchanged', endpoint: before }, done: null };
    const changes = { enabled: false, disabledAt: now, disabledReason: command.reason };
    const endpoint = await updateWebhookEndpoint(transaction, command, changes, now);
    const givenUp = await giveUpDeliveries(transaction, command, now);
    return { outcome: { kind: 'changed', endpoint, givenUp }, done: { action: 'disabled', after: endpoint } };
  });
}

function isOutdated(command: DisableEndpointCommand, { updatedAt }: ListedWebhookEndpoint): boolean {
  return command.reason !== 'staff' && command.attemptedAt <= updatedAt;
}

/** Enables an endpoint for events from now on. */
export async function enableEndpoint(
  context: WebhooksContext,
  command: WebhookEndpointKey & { readonly actor: string },
): Promise<EndpointStateOutcome> {
  return changeEndpoint<EndpointStateOutcome>(context, command, async (transaction, before, now) => {
    if (before.enabled) return { outcome: { kind: 'unchanged', endpoint: before }, done: null };
    const changes = { enabled: true, disabledAt: null, disabledReason: null, failingSince: null, lastFailedAt: null };
    const endpoint = await updateWebhookEndpoint(transaction, command, changes, now);
    return { outcome: { kind: 'changed', endpoint, givenUp: 0 }, done: { action: 'enabled', after: endpoint } };
  });
}

import type { MerchantsContext } from '@switchyard/merchants';
import { giveUpDeliveries } from '../deliveries/due-deliveries-queries.ts';
import { changeEndpoint } from './change-endpoint.ts';
import { type ListedWebhookEndpoint, updateWebhookEndpoint, type WebhookEndpointKey } from './queries.ts';

export type SwitchEndpointOutcome =
  /** `givenUp` is how many deliveries waited for it; they can be sent again. */
  | { readonly kind: 'switched'; readonly endpoint: ListedWebhookEndpoint; readonly givenUp: number }
  | { readonly kind: 'unchanged'; readonly endpoint: ListedWebhookEndpoint }
  | { readonly kind: 'not_found' };

export interface SwitchOffCommand extends WebhookEndpointKey {
  readonly reason: 'staff' | 'gone' | 'failing';
  readonly actor: string;
}

/** Stops sending to an endpoint. What waits for it is given up, and what happens meanwhile is not sent to it. */
export async function switchOffEndpoint(context: MerchantsContext, command: SwitchOffCommand): Promise<SwitchEndpointOutcome> {
  return changeEndpoint<SwitchEndpointOutcome>(context, command, async (transaction, before, now) => {
    if (!before.enabled) return { outcome: { kind: 'unchanged', endpoint: before }, done: null };
    const changes = { enabled: false, disabledAt: now, disabledReason: command.reason };
    const endpoint = await updateWebhookEndpoint(transaction, command, changes, now);
    const givenUp = await giveUpDeliveries(transaction, command, now);
    return { outcome: { kind: 'switched', endpoint, givenUp }, done: { action: 'disabled', after: endpoint } };
  });
}

/** Sends to an endpoint again, from now on. */
export async function switchOnEndpoint(
  context: MerchantsContext,
  command: WebhookEndpointKey & { readonly actor: string },
): Promise<SwitchEndpointOutcome> {
  return changeEndpoint<SwitchEndpointOutcome>(context, command, async (transaction, before, now) => {
    if (before.enabled) return { outcome: { kind: 'unchanged', endpoint: before }, done: null };
    const changes = { enabled: true, disabledAt: null, disabledReason: null, failingSince: null, lastFailedAt: null };
    const endpoint = await updateWebhookEndpoint(transaction, command, changes, now);
    return { outcome: { kind: 'switched', endpoint, givenUp: 0 }, done: { action: 'enabled', after: endpoint } };
  });
}

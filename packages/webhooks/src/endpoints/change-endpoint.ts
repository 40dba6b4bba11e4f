import type { Prisma } from '@switchyard/db/client';
import { changeConfiguration } from '@switchyard/runtime';
import type { WebhooksContext } from '../context.ts';
import { endpointForAudit } from './endpoint-fields.ts';
import { findWebhookEndpoint, type ListedWebhookEndpoint, type WebhookEndpointKey } from './queries.ts';

/** The outcome of an endpoint change. Without an action nothing may have been written. */
export interface EndpointChange<Outcome> {
  readonly outcome: Outcome;
  /** `disabled`, `secret_rotated`, … and the endpoint after the change. */
  readonly done: { readonly action: string; readonly after: ListedWebhookEndpoint } | null;
}

/** Changes an endpoint and writes its audit row in one transaction. Endpoints do not affect routing. */
export async function changeEndpoint<Outcome>(
  context: WebhooksContext,
  command: WebhookEndpointKey & { readonly actor: string },
  change: (
    transaction: Prisma.TransactionClient,
    before: ListedWebhookEndpoint,
    now: Date,
  ) => Promise<EndpointChange<Outcome | { readonly kind: 'not_found' }>>,
): Promise<Outcome | { readonly kind: 'not_found' }> {
  return changeConfiguration<Outcome | { readonly kind: 'not_found' }>(context, command, async (transaction, now) => {
    const before = await findWebhookEndpoint(transaction, command);
    if (before === null) return { outcome: { kind: 'not_found' }, audit: null };
    const { outcome, done } = await change(transaction, before, now);
    if (done === null) return { outcome, audit: null };
    return {
      outcome,
      audit: {
        action: `webhook_endpoint.${done.action}`,
        objectType: 'webhook_endpoint',
        objectId: before.id,
        before: endpointForAudit(before),
        after: endpointForAudit(done.after),
      },
      inForce: false,
    };
  });
}

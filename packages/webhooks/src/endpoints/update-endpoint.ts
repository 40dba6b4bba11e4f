import type { Prisma } from '@switchyard/db/client';
import { resolveHost } from '@switchyard/gateways/addresses';
import { changeConfiguration, type FieldProblem, fieldProblems } from '@switchyard/runtime';
import type { WebhooksContext } from '../context.ts';
import { readFormat } from '../events/formats.ts';
import {
  endpointChangesSchema,
  endpointForAudit,
  typeProblems,
  typesOf,
  urlProblems,
  type WebhookEndpointSettings,
} from './endpoint-fields.ts';
import {
  findWebhookEndpoint,
  giveUpDeliveries,
  type ListedWebhookEndpoint,
  updateWebhookEndpoint,
  type WebhookEndpointKey,
} from './queries.ts';

/** Asks to change an endpoint. */
export interface UpdateEndpointCommand extends WebhookEndpointKey {
  /** Omitted fields stay unchanged. */
  readonly changes: Partial<WebhookEndpointSettings>;
  readonly actor: string;
}

/** Result of changing an endpoint, or the reason why it was refused. */
export type UpdateEndpointOutcome =
  | { readonly kind: 'updated'; readonly endpoint: ListedWebhookEndpoint }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly kind: 'not_found' };

/** Changes an endpoint's URL, event types or name. Pending deliveries go to the new URL. */
export async function updateEndpoint(context: WebhooksContext, command: UpdateEndpointCommand): Promise<UpdateEndpointOutcome> {
  const parsed = endpointChangesSchema.safeParse(command.changes);
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  const resolved = await resolveHost(parsed.data.url);
  return changeEndpoint<UpdateEndpointOutcome>(context, command, async (transaction, before, now) => {
    const { types } = parsed.data;
    const format = readFormat(before.format);
    const problems = [...urlProblems(parsed.data.url ?? before.url, before.mode, resolved), ...typeProblems(format, types ?? [])];
    if (problems.length > 0) return { outcome: { kind: 'invalid', problems }, done: null };
    const settings = types === undefined ? parsed.data : { ...parsed.data, types: typesOf(format, types) };
    // The certificate is that of the host before.
    const isElsewhere = settings.url !== undefined && settings.url !== before.url;
    const changes = isElsewhere ? { ...settings, certificateExpiresAt: null } : settings;
    const endpoint = await updateWebhookEndpoint(transaction, command, changes, now);
    return { outcome: { kind: 'updated', endpoint }, done: { action: 'updated', after: endpoint } };
  });
}

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

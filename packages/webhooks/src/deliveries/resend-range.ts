import { enqueueJob, hintWorkers } from '@switchyard/db';
import { changeConfiguration, type FieldProblem, fieldProblems } from '@switchyard/runtime';
import { z } from 'zod';
import type { WebhooksContext } from '../context.ts';
import { findWebhookEndpoint, type WebhookEndpointKey } from '../endpoints/queries.ts';
import { deliveryHints, MERCHANT_EVENT_TYPES } from '../events/announce-event.ts';
import { LEASE_MS } from './deliver.ts';
import { findWebhookDelivery } from './list-deliveries.ts';
import {
  continueWebhookResend,
  countEventsToResend,
  insertWebhookResend,
  listStalledResends,
  lockWebhookResend,
  queueDeliveries,
  type ResendScope,
} from './resends-queries.ts';

/** Maximum number of events of one resend. */
export const RESEND_MAX = 100_000;
const BATCH = 500;
const STALLED_AFTER_MS = 30_000;
/** Far more than a batch takes: only where the database is very busy. Less than until it counts as stalled. */
const TRANSACTION_LIMITS = { timeout: 20_000, maxWait: 10_000 };
const STALLED_AT_ONCE = 20;

/** Selects events of a period for one endpoint: `from` inclusive, `to` exclusive. */
export interface ResendRangeQuery extends WebhookEndpointKey {
  readonly from: Date;
  readonly to: Date;
  /** Empty: all types of the endpoint. */
  readonly types: readonly string[];
  /** Excludes delivered events: sends those that were given up, are pending, or occurred while the endpoint was disabled. */
  readonly onlyUndelivered: boolean;
}

/** Result of starting a resend, or the reason why it was refused. `total` is the number of events. */
export type ResendRangeOutcome =
  | { readonly kind: 'begun'; readonly resendId: string; readonly total: number }
  | { readonly kind: 'nothing_to_send' }
  | { readonly kind: 'too_many_events'; readonly limit: number }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly kind: 'switched_off' }
  | { readonly kind: 'not_found' };

const querySchema = z
  .object({
    from: z.date('must be a date'),
    to: z.date('must be a date'),
    types: z.array(z.enum(MERCHANT_EVENT_TYPES, 'must be a type of event')).max(MERCHANT_EVENT_TYPES.length),
  })
  .refine(({ from, to }) => from < to, { path: ['to'], message: 'must lie after the beginning' });

/** The number of events a resend would send, or why it would be refused. */
export type CountRangeOutcome =
  | { readonly kind: 'counted'; readonly total: number }
  | Exclude<ResendRangeOutcome, { readonly kind: 'begun' | 'nothing_to_send' | 'switched_off' }>;

/** The number of events of a period that a resend would send. */
export async function countRange(context: WebhooksContext, query: ResendRangeQuery): Promise<CountRangeOutcome> {
  const parsed = querySchema.safeParse(query);
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  const { database } = context.resources;
  const endpoint = await findWebhookEndpoint(database.prisma, query);
  if (endpoint === null) return { kind: 'not_found' };
  const total = await countEventsToResend(database, scopeOf(query, endpoint), RESEND_MAX + 1);
  return total > RESEND_MAX ? { kind: 'too_many_events', limit: RESEND_MAX } : { kind: 'counted', total };
}

/**
 * Sends the events of a period to an endpoint again, in the order of each payment: those sent before, and those skipped because the
 * endpoint did not exist or was disabled. Same ids, same bodies.
 */
export async function resendRange(
  context: WebhooksContext,
  query: ResendRangeQuery & { readonly actor: string },
): Promise<ResendRangeOutcome> {
  const counted = await countRange(context, query);
  if (counted.kind !== 'counted') return counted;
  const { total } = counted;
  if (total === 0) return { kind: 'nothing_to_send' };
  const { merchantId, actor } = query;
  return changeConfiguration<ResendRangeOutcome>(context, query, async (transaction, now) => {
    const endpoint = await findWebhookEndpoint(transaction, query);
    if (endpoint === null) return { outcome: { kind: 'not_found' }, audit: null };
    if (!endpoint.enabled) return { outcome: { kind: 'switched_off' }, audit: null };
    const scope = scopeOf(query, endpoint);
    const resendId = context.newId();
    await insertWebhookResend(transaction, { ...scope, id: resendId, total, requestedBy: actor }, now);
    await enqueueJob(transaction, 'resend-events', { merchantId, resendId });
    const { fromAt, toAt, types, onlyUndelivered } = scope;
    const after = { resendId, from: fromAt.toISOString(), to: toAt.toISOString(), types: [...types], onlyUndelivered, total };
    return {
      outcome: { kind: 'begun', resendId, total },
      audit: {
        action: 'webhook_endpoint.range_resent',
        objectType: 'webhook_endpoint',
        objectId: endpoint.id,
        before: null,
        after,
      },
      inForce: false,
    };
  });
}

/** Continues a resend to its end and wakes the endpoint's queue. Does nothing when it has ended or another process continues it. */
export async function continueResend(
  context: WebhooksContext,
  { merchantId, resendId }: { readonly merchantId: string; readonly resendId: string },
  onQueued: (endpoint: WebhookEndpointKey) => void,
): Promise<void> {
  const { prisma } = context.resources.database;
  for (let more = true; more; ) {
    more = await prisma.$transaction(async (transaction) => {
      const resend = await lockWebhookResend(transaction, merchantId, resendId);
      if (resend === null) return false;
      const options = { now: context.now(), leaseMs: LEASE_MS, limit: BATCH };
      const unfinished = await continueWebhookResend(transaction, resend, options);
      onQueued(resend);
      return unfinished;
    }, TRANSACTION_LIMITS);
  }
}

/** Continues resends whose process died: those without progress for a while. */
export async function continueStalledResends(
  context: WebhooksContext,
  onQueued: (endpoint: WebhookEndpointKey) => void,
): Promise<void> {
  const before = new Date(context.now().getTime() - STALLED_AFTER_MS);
  for (const { merchantId, id } of await listStalledResends(context.resources.database, before, STALLED_AT_ONCE)) {
    await continueResend(context, { merchantId, resendId: id }, onQueued);
  }
}

function scopeOf(
  { merchantId, endpointId, from, to, types, onlyUndelivered }: ResendRangeQuery,
  endpoint: { readonly mode: ResendScope['mode']; readonly types: readonly string[] },
): ResendScope {
  const wanted =
    endpoint.types.length === 0 ? types : endpoint.types.filter((type) => types.length === 0 || types.includes(type));
  // A selection of types that the endpoint does not subscribe to must not be read as all types.
  const effective = wanted.length === 0 && (types.length > 0 || endpoint.types.length > 0) ? ['none'] : wanted;
  return { merchantId, endpointId, mode: endpoint.mode, fromAt: from, toAt: to, types: effective, onlyUndelivered };
}

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

import { momentValue } from '@switchyard/db/moments';
import { plainText } from '@switchyard/nouns/filters';
import {
  countDeliveries,
  countRange,
  type DeliveryPage,
  findDelivery,
  listDeliveries,
  listResends,
  resendDelivery,
  resendRange,
} from '@switchyard/webhooks/deliveries';
import { deliveryNoun } from '@switchyard/webhooks/delivery-noun';
import {
  createEndpoint,
  disableEndpoint,
  type EndpointInList,
  enableEndpoint,
  endPreviousSecret,
  findEndpoint,
  listEndpoints,
  removeEndpoint,
  rotateEndpointSecret,
  sendTestEvent,
  updateEndpoint,
} from '@switchyard/webhooks/endpoints';
import { MERCHANT_EVENT_TYPES } from '@switchyard/webhooks/events';
import { FORMAT_EVENTS, WEBHOOK_FORMATS } from '@switchyard/webhooks/formats';
import { z } from 'zod';
import { endpointKey, found, foundOrThrow, NO_ENDPOINT, oneMerchant, pageInputAfter, scope, timeKey } from './inputs.ts';
import { permitted, resolveMerchants, router, type TrpcContext } from './procedure.ts';

const NO_DELIVERY = 'There is no such delivery, or you have no access to it.';
const deliveryKey = z.object({ merchantId: z.uuid().toLowerCase(), deliveryId: z.uuid().toLowerCase() });
const types = z.array(plainText(100)).max(100).default([]);

const ofEndpoint = deliveryNoun.filter.omit({ merchantIds: true, mode: true }).extend(endpointKey.shape);
const listInput = pageInputAfter(
  ofEndpoint.extend({
    sort: z
      .strictObject({ by: z.enum(['created', 'attempts', 'next']), descending: z.boolean() })
      .default({ by: 'created', descending: true }),
  }),
  timeKey.extend({
    attempts: z.int().min(0).nullable().default(null),
    nextAttemptAt: momentValue.nullable().default(null),
  }),
);

const range = endpointKey.extend({
  from: momentValue,
  to: momentValue,
  types,
  /** Excludes succeeded deliveries. */
  onlyUndelivered: z.boolean().default(true),
});

/** Sent and pending deliveries to merchants' endpoints. */
const webhookDeliveries = router({
  /** A page of deliveries to an endpoint, newest first unless another order is wanted. */
  list: permitted('webhook:read')
    .input(listInput)
    .query(async ({ ctx, input: { merchantId, cursor, ...filter } }) => {
      const merchantIds = [oneMerchant(ctx, merchantId)];
      const query = { ...filter, merchantIds, after: cursor ?? null };
      const { deliveries, next } = await listDeliveries(ctx.switchyard, query);
      return { items: deliveries.map(shownDelivery), next };
    }),
  /** The numbers of deliveries that a filter has in each state, exact to 10,000; null where counting took too long. */
  counts: permitted('webhook:read')
    .input(ofEndpoint)
    .query(({ ctx, input: { merchantId, ...filter } }) => {
      const query = { ...filter, merchantIds: [oneMerchant(ctx, merchantId)] };
      return countDeliveries(ctx.switchyard, query);
    }),
  /** One delivery with its payload, byte for byte, and every attempt, the latest first. */
  byId: permitted('webhook:read')
    .input(deliveryKey)
    .query(async ({ ctx, input: { merchantId, deliveryId } }) => {
      const details = await findDelivery(ctx.switchyard, { merchantId: oneMerchant(ctx, merchantId), deliveryId });
      const { delivery, event, attempts } = foundOrThrow(details, NO_DELIVERY);
      return { ...shownDelivery(delivery), body: delivery.body ?? event.body, happenedAt: event.createdAt, attemptLog: attempts };
    }),
  /** Sends a delivery again, or a pending one now. */
  resend: permitted('webhook:resend')
    .input(deliveryKey)
    .mutation(async ({ ctx, input }) => {
      const command = { ...input, merchantId: oneMerchant(ctx, input.merchantId), actor: `staff:${ctx.session.staffId}` };
      return found(await resendDelivery(ctx.switchyard, command), NO_DELIVERY);
    }),
  /** The number of events that resending a period would send. */
  countRange: permitted('webhook:read')
    .input(range)
    .query(async ({ ctx, input }) => {
      const query = { ...input, merchantId: oneMerchant(ctx, input.merchantId) };
      return found(await countRange(ctx.switchyard, query));
    }),
  /** Resends the events of a period in the background. */
  resendRange: permitted('webhook:resend')
    .input(range)
    .mutation(async ({ ctx, input }) => {
      const command = { ...input, merchantId: oneMerchant(ctx, input.merchantId), actor: `staff:${ctx.session.staffId}` };
      return found(await resendRange(ctx.switchyard, command));
    }),
  /** The latest resends to an endpoint, with their progress. */
  resends: permitted('webhook:read')
    .input(endpointKey)
    .query(({ ctx, input: { merchantId, endpointId } }) =>
      listResends(ctx.switchyard, { merchantId: oneMerchant(ctx, merchantId), endpointId }),
    ),
});

/** The public fields of a delivery. */
function shownDelivery(delivery: DeliveryPage['deliveries'][number]) {
  const { id, endpointId, eventId, paymentId, type, state, attempts, nextAttemptAt, deliveredAt } = delivery;
  const { lastStatus, lastFailure, resendId, createdAt, updatedAt } = delivery;
  return {
    deliveryId: id,
    endpointId,
    eventId,
    paymentId,
    type,
    state,
    attempts,
    nextAttemptAt,
    deliveredAt,
    lastStatus,
    lastFailure,
    resendId,
    createdAt,
    updatedAt,
  };
}

const listed = z.object({
  /** Null for every merchant the caller may see. */
  merchantId: z.uuid().toLowerCase().nullable().default(null),
  mode: z.enum(['test', 'live']),
});

/** Types only: range problems are returned per field, not thrown. */
const settings = {
  url: z.string().max(4_000),
  description: z.string().max(1_000),
  types: z.array(z.string().max(100)).max(100),
};

/** The format of an endpoint, and the secret it is signed with there. */
const formatted = {
  format: z.enum(WEBHOOK_FORMATS).default('switchyard'),
  secret: z.string().max(1_000).nullable().default(null),
};

const configure = permitted('webhook:configure');

/** Webhook endpoints of merchants. A signing secret is only in the response that creates it. */
export const webhooks = router({
  /** The event types an endpoint can subscribe to. */
  types: permitted('webhook:read').query(() => [...MERCHANT_EVENT_TYPES]),
  /** The forms in which an endpoint can be sent events, and the types each can say; null for all. */
  formats: permitted('webhook:read').query(() => FORMAT_EVENTS),
  /** Endpoints with their deliveries of the last 24 hours. */
  list: permitted('webhook:read')
    .input(listed)
    .query(async ({ ctx, input: { merchantId, mode } }) => {
      const merchantIds = resolveMerchants(ctx, merchantId);
      return (await listEndpoints(ctx.switchyard, { merchantIds, mode })).map(shown);
    }),
  /** Endpoints that are failing, or were disabled because they failed. */
  failing: permitted('webhook:read')
    .input(listed)
    .query(async ({ ctx, input: { merchantId, mode } }) => {
      const merchantIds = resolveMerchants(ctx, merchantId);
      return (await listEndpoints(ctx.switchyard, { merchantIds, mode, inTrouble: true })).map(shown);
    }),
  byId: permitted('webhook:read')
    .input(endpointKey)
    .query(async ({ ctx, input: { merchantId, endpointId } }) => {
      const endpoint = await findEndpoint(ctx.switchyard, { merchantId: oneMerchant(ctx, merchantId), endpointId });
      return shown(foundOrThrow(endpoint, NO_ENDPOINT));
    }),
  create: configure.input(scope.extend({ ...settings, ...formatted })).mutation(async ({ ctx, input }) => {
    const command = { ...input, merchantId: oneMerchant(ctx, input.merchantId), actor: actorOf(ctx) };
    const outcome = found(await createEndpoint(ctx.switchyard, command));
    return outcome.kind === 'created'
      ? { kind: outcome.kind, secret: outcome.secret, endpointId: outcome.endpoint.id, url: outcome.endpoint.url }
      : outcome;
  }),
  update: configure
    .input(
      endpointKey.extend({
        changes: z.object({
          url: settings.url.exactOptional(),
          description: settings.description.exactOptional(),
          types: settings.types.exactOptional(),
        }),
      }),
    )
    .mutation(async ({ ctx, input }) => {
      const outcome = found(await updateEndpoint(ctx.switchyard, commandOf(ctx, input)));
      return outcome.kind === 'updated' ? { kind: outcome.kind } : outcome;
    }),
  enable: configure.input(endpointKey).mutation(async ({ ctx, input }) => {
    const { kind } = found(await enableEndpoint(ctx.switchyard, commandOf(ctx, input)));
    return { kind };
  }),
  /** Cancels its pending deliveries, too. */
  disable: configure.input(endpointKey).mutation(async ({ ctx, input }) => {
    const outcome = found(await disableEndpoint(ctx.switchyard, { ...commandOf(ctx, input), reason: 'staff' }));
    return { kind: outcome.kind, givenUp: outcome.kind === 'changed' ? outcome.givenUp : 0 };
  }),
  remove: configure
    .input(endpointKey)
    .mutation(async ({ ctx, input }) => found(await removeEndpoint(ctx.switchyard, commandOf(ctx, input)))),
  /** Creates a signing secret; both sign until `oldSignsUntil`. */
  rotateSecret: configure
    .input(endpointKey.extend({ oldSignsUntil: momentValue, secret: formatted.secret }))
    .mutation(async ({ ctx, input }) => {
      const outcome = found(await rotateEndpointSecret(ctx.switchyard, commandOf(ctx, input)));
      return outcome.kind === 'rotated' ? { kind: outcome.kind, secret: outcome.secret } : outcome;
    }),
  endPreviousSecret: configure.input(endpointKey).mutation(async ({ ctx, input }) => {
    const { kind } = found(await endPreviousSecret(ctx.switchyard, commandOf(ctx, input)));
    return { kind };
  }),
  sendTest: permitted('webhook:resend')
    .input(endpointKey)
    .mutation(async ({ ctx, input }) => found(await sendTestEvent(ctx.switchyard, commandOf(ctx, input)))),
  deliveries: webhookDeliveries,
});

function actorOf({ session }: { readonly session: NonNullable<TrpcContext['session']> }): string {
  return `staff:${session.staffId}`;
}

function commandOf<Input extends z.output<typeof endpointKey>>(
  ctx: { readonly merchantIds: readonly string[]; readonly session: NonNullable<TrpcContext['session']> },
  input: Input,
) {
  return { ...input, merchantId: oneMerchant(ctx, input.merchantId), actor: actorOf(ctx) };
}

/** The public fields of an endpoint. */
function shown({ id, merchantId, mode, url, description, types, format, enabled, traffic, ...endpoint }: EndpointInList) {
  const { failingSince, lastFailedAt, lastDeliveredAt, disabledAt, disabledReason } = endpoint;
  const { certificateExpiresAt, previousSecretEndsAt, createdAt, updatedAt } = endpoint;
  return {
    endpointId: id,
    merchantId,
    mode,
    url,
    description,
    types,
    format,
    enabled,
    traffic,
    failingSince,
    lastFailedAt,
    lastDeliveredAt,
    disabledAt,
    disabledReason,
    certificateExpiresAt,
    previousSecretEndsAt,
    createdAt,
    updatedAt,
  };
}

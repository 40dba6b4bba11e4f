import { momentValue } from '@switchyard/db/moments';
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
import { permitted, resolveMerchants, router, type TrpcContext } from './procedure.ts';
import { foundOrThrow, oneMerchant, scope } from './rules-input.ts';
import { webhookDeliveries } from './webhook-deliveries.ts';
import { endpointKey, found, NO_ENDPOINT } from './webhook-input.ts';

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

/** Which form an endpoint gets, and the secret it is signed with there. */
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

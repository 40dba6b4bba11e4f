import { momentValue } from '@switchyard/db/moments';
import { deliveryFilter, plainText } from '@switchyard/exports/filters';
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
import { z } from 'zod';
import { pageInputAfter, timeKey } from '../page-input.ts';
import { permitted, router } from './procedure.ts';
import { foundOrThrow, oneMerchant } from './rules-input.ts';
import { endpointKey, found } from './webhook-input.ts';

const NO_DELIVERY = 'There is no such delivery, or you have no access to it.';
const deliveryKey = z.object({ merchantId: z.uuid().toLowerCase(), deliveryId: z.uuid().toLowerCase() });
const types = z.array(plainText(100)).max(100).default([]);

const ofEndpoint = deliveryFilter.omit({ merchantIds: true, mode: true }).extend(endpointKey.shape);
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
export const webhookDeliveries = router({
  /** A page of deliveries to an endpoint, newest first unless another order is wanted. */
  list: permitted('webhook:read')
    .input(listInput)
    .query(async ({ ctx, input: { merchantId, cursor, ...filter } }) => {
      const merchantIds = [oneMerchant(ctx, merchantId)];
      const query = { ...filter, merchantIds, mode: null, after: cursor ?? null };
      const { deliveries, next } = await listDeliveries(ctx.switchyard, query);
      return { deliveries: deliveries.map(shown), next };
    }),
  /** The numbers of deliveries that a filter has in each state, exact to 10,000; null where counting took too long. */
  counts: permitted('webhook:read')
    .input(ofEndpoint)
    .query(({ ctx, input: { merchantId, ...filter } }) => {
      const query = { ...filter, merchantIds: [oneMerchant(ctx, merchantId)], mode: null };
      return countDeliveries(ctx.switchyard, query);
    }),
  /** One delivery with its payload, byte for byte, and every attempt, the latest first. */
  byId: permitted('webhook:read')
    .input(deliveryKey)
    .query(async ({ ctx, input: { merchantId, deliveryId } }) => {
      const details = await findDelivery(ctx.switchyard, { merchantId: oneMerchant(ctx, merchantId), deliveryId });
      const { delivery, event, attempts } = foundOrThrow(details, NO_DELIVERY);
      return { ...shown(delivery), body: delivery.body ?? event.body, happenedAt: event.createdAt, attemptLog: attempts };
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
function shown(delivery: DeliveryPage['deliveries'][number]) {
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

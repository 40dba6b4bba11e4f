import type { TimelineEvent as TimelineEventRow } from '@switchyard/db/client';
import { duplicateChargeNoun, refundNoun } from '@switchyard/payments/lists';
import { deliveryNoun } from '@switchyard/webhooks/delivery-noun';
import { builder } from '../builder.ts';
import { showFields } from '../nouns.ts';
import { Account, accountOf } from './account.ts';
import { AttemptState, PaymentStatus } from './enums.ts';

const PERMISSION = 'payment:read';

export const Attempt = builder.prismaObject('Attempt', {
  description: 'An attempt to open a checkout at one gateway account.',
  select: { merchantId: true, accountId: true, gateway: true },
  authScopes: ({ merchantId }) => ({ owner: { merchantId, mode: null, permission: PERMISSION } }),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the attempt.' }),
    position: t.exposeInt('position', { description: 'Position in the order tried, from 0.' }),
    account: t.field({
      type: Account,
      description: "The merchant's account.",
      resolve: ({ accountId, gateway }, _args, { switchyard }) => accountOf(switchyard, accountId, gateway),
    }),
    reference: t.exposeString('reference', { description: 'The reference sent to the gateway.' }),
    state: t.expose('state', { type: AttemptState, description: 'Its state.' }),
    duplicate: t.exposeBoolean('duplicate', { description: 'Paid although another attempt had already paid the payment.' }),
    failureCode: t.exposeString('failureCode', { nullable: true, description: 'Failure code.' }),
    failureMessage: t.exposeString('failureMessage', { nullable: true, description: 'Failure message.' }),
    latencyMs: t.exposeInt('latencyMs', { nullable: true, description: 'Milliseconds until the gateway answered.' }),
    transactionId: t.exposeString('transactionId', { nullable: true, description: "The gateway's own id of the transaction." }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
  }),
});

/** Not of a row alone: what a payment and its attempts say is not stored. */
export const TimelineEvent = builder.objectRef<TimelineEventRow>('TimelineEvent').implement({
  description: 'An event of a payment.',
  authScopes: ({ merchantId }) => ({ owner: { merchantId, mode: null, permission: PERMISSION } }),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the event: of the event record, where the status changed.' }),
    type: t.exposeString('type', { description: 'Type of the event: payment.succeeded.' }),
    fromStatus: t.expose('fromStatus', {
      type: PaymentStatus,
      nullable: true,
      description: 'Previous status; null where it did not change.',
    }),
    toStatus: t.expose('toStatus', {
      type: PaymentStatus,
      nullable: true,
      description: 'New status; null where it did not change.',
    }),
    cause: t.exposeString('cause', {
      description: 'What caused it: api, checkout_return, gateway_webhook, schedule, staff.',
    }),
    actor: t.exposeString('actor', { nullable: true, description: 'The staff user, where one did it.' }),
    detail: t.expose('detail', { type: 'JSON', nullable: true, description: 'Details, by type.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When.' }),
  }),
});

export const Refund = builder.prismaObject('Refund', {
  description: 'A refund.',
  authScopes: ({ merchantId, mode }) => ({ owner: { merchantId, mode, permission: PERMISSION } }),
  fields: (t) => ({
    account: t.field({
      type: Account,
      description: 'The gateway account that refunds it.',
      resolve: ({ accountId, gateway }, _args, { switchyard }) => accountOf(switchyard, accountId, gateway),
    }),
  }),
});
showFields(Refund, 'Refund', refundNoun, 'refund_id');

export const DuplicateCharge = builder.prismaObject('DuplicateCharge', {
  description: 'A duplicate charge: money received for a payment that had already been paid.',
  authScopes: ({ merchantId, mode }) => ({ owner: { merchantId, mode, permission: PERMISSION } }),
  fields: (t) => ({
    account: t.field({
      type: Account,
      description: 'The gateway account that was charged.',
      resolve: ({ accountId, gateway }, _args, { switchyard }) => accountOf(switchyard, accountId, gateway),
    }),
  }),
});
showFields(DuplicateCharge, 'DuplicateCharge', duplicateChargeNoun, 'duplicate_charge_id');

export const WebhookDelivery = builder.prismaObject('WebhookDelivery', {
  description: "Delivery of an event to one of the merchant's endpoints.",
  authScopes: ({ merchantId }) => ({ owner: { merchantId, mode: null, permission: deliveryNoun.permission } }),
  fields: () => ({}),
});
showFields(WebhookDelivery, 'WebhookDelivery', deliveryNoun, 'delivery_id');

import type { TimelineEvent as TimelineEventRow } from '@switchyard/db/client';
import { builder } from '../builder.ts';
import { Account, accountOf } from './account.ts';
import { AttemptState, DeliveryState, DuplicateChargeState, PaymentStatus, RefundState } from './enums.ts';

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
  select: { merchantId: true, mode: true, accountId: true, gateway: true },
  authScopes: ({ merchantId, mode }) => ({ owner: { merchantId, mode, permission: PERMISSION } }),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the refund.' }),
    paymentId: t.exposeID('paymentId', { description: 'The refunded payment.' }),
    amount: t.expose('amount', { type: 'Amount', description: 'Amount.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217.' }),
    state: t.expose('state', { type: RefundState, description: 'Its state.' }),
    reason: t.exposeString('reason', { nullable: true, description: 'The reason given.' }),
    reasonCode: t.exposeString('reasonCode', {
      nullable: true,
      description: "The merchant's code of the reason; null where it keeps none, and for refunds that no person requested.",
    }),
    requestedBy: t.exposeString('requestedBy', { description: 'Who requested it.' }),
    duplicate: t.exposeBoolean('duplicate', { description: 'Refunds a duplicate charge.' }),
    failureMessage: t.exposeString('failureMessage', { nullable: true, description: 'Failure message.' }),
    note: t.exposeString('note', { nullable: true, description: 'Note of the staff user who dismissed it after it failed.' }),
    resolvedAt: t.expose('resolvedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was dismissed after it failed, or another was requested in its place.',
    }),
    account: t.field({
      type: Account,
      description: 'The gateway account that refunds it.',
      resolve: ({ accountId, gateway }, _args, { switchyard }) => accountOf(switchyard, accountId, gateway),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was requested.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
});

export const DuplicateCharge = builder.prismaObject('DuplicateCharge', {
  description: 'A duplicate charge: money received for a payment that had already been paid.',
  select: { merchantId: true, mode: true, accountId: true, gateway: true, amount: true },
  authScopes: ({ merchantId, mode }) => ({ owner: { merchantId, mode, permission: PERMISSION } }),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the charge.' }),
    paymentId: t.exposeID('paymentId', { description: 'The payment that had already been paid.' }),
    account: t.field({
      type: Account,
      description: 'The gateway account that was charged.',
      resolve: ({ accountId, gateway }, _args, { switchyard }) => accountOf(switchyard, accountId, gateway),
    }),
    reference: t.exposeString('reference', { description: 'The reference sent to the gateway.' }),
    transactionId: t.exposeString('transactionId', { description: "The gateway's own id of the transaction." }),
    amount: t.field({ type: 'Decimal', description: 'Amount received.', resolve: ({ amount }) => amount.toFixed() }),
    currency: t.exposeString('currency', { description: 'ISO 4217.' }),
    state: t.expose('state', { type: DuplicateChargeState, description: 'Its state.' }),
    note: t.exposeString('note', { nullable: true, description: 'Note of the staff user who closed it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was found.' }),
  }),
});

export const WebhookDelivery = builder.prismaObject('WebhookDelivery', {
  description: "Delivery of an event to one of the merchant's endpoints.",
  select: { merchantId: true },
  authScopes: ({ merchantId }) => ({ owner: { merchantId, mode: null, permission: 'webhook:read' } }),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the delivery.' }),
    eventId: t.exposeID('eventId', { description: 'Id of the event record: webhook-id.' }),
    endpointId: t.exposeID('endpointId', { description: 'The endpoint.' }),
    type: t.exposeString('type', { description: 'Type of the event.' }),
    state: t.expose('state', { type: DeliveryState, description: 'Its state.' }),
    attempts: t.exposeInt('attempts', { description: 'The number of delivery attempts.' }),
    lastStatus: t.exposeInt('lastStatus', { nullable: true, description: 'HTTP status of the last response.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the event happened.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
});

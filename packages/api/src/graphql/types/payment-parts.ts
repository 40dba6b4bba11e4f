import { builder } from '../builder.ts';
import { Account, accountOf } from './account.ts';
import { AttemptState, DeliveryState, DuplicateChargeState, PaymentStatus, RefundState } from './enums.ts';

const PERMISSION = 'payment:read';

export const Attempt = builder.prismaObject('Attempt', {
  description: 'One try to open a checkout at one account.',
  select: { merchantId: true, accountId: true, gateway: true },
  authScopes: ({ merchantId }) => ({ owner: { merchantId, mode: null, permission: PERMISSION } }),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the attempt.' }),
    position: t.exposeInt('position', { description: 'From 0, in the order tried.' }),
    account: t.field({
      type: Account,
      description: "The merchant's account.",
      resolve: ({ accountId, gateway }, _args, { switchyard }) => accountOf(switchyard, accountId, gateway),
    }),
    reference: t.exposeString('reference', { description: 'Our reference at the gateway.' }),
    state: t.expose('state', { type: AttemptState, description: 'What is known of it.' }),
    duplicate: t.exposeBoolean('duplicate', { description: 'Paid although another attempt had already paid the payment.' }),
    failureCode: t.exposeString('failureCode', { nullable: true, description: 'Why it failed, as a code.' }),
    failureMessage: t.exposeString('failureMessage', { nullable: true, description: 'Why it failed, as a sentence.' }),
    latencyMs: t.exposeInt('latencyMs', { nullable: true, description: 'Milliseconds the gateway took.' }),
    transactionId: t.exposeString('transactionId', { nullable: true, description: "The gateway's own id of the transaction." }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was recorded.' }),
  }),
});

export const TimelineEvent = builder.prismaObject('TimelineEvent', {
  description: 'Something that happened to a payment.',
  select: { merchantId: true },
  authScopes: ({ merchantId }) => ({ owner: { merchantId, mode: null, permission: PERMISSION } }),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the event: of the event record, where the status changed.' }),
    type: t.exposeString('type', { description: 'What happened: payment.succeeded.' }),
    fromStatus: t.expose('fromStatus', { type: PaymentStatus, nullable: true, description: 'Status before, where it changed.' }),
    toStatus: t.expose('toStatus', { type: PaymentStatus, nullable: true, description: 'Status after, where it changed.' }),
    cause: t.exposeString('cause', {
      description: 'What made it happen: api, checkout_return, gateway_webhook, schedule, staff.',
    }),
    actor: t.exposeString('actor', { nullable: true, description: 'Who, where a person did it.' }),
    detail: t.expose('detail', { type: 'JSON', nullable: true, description: 'More, by type.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When.' }),
  }),
});

export const Refund = builder.prismaObject('Refund', {
  description: 'Money on its way back to the customer.',
  select: { merchantId: true, mode: true, accountId: true, gateway: true },
  authScopes: ({ merchantId, mode }) => ({ owner: { merchantId, mode, permission: PERMISSION } }),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the refund.' }),
    paymentId: t.exposeID('paymentId', { description: 'The payment whose money goes back.' }),
    amount: t.expose('amount', { type: 'Amount', description: 'How much.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217.' }),
    state: t.expose('state', { type: RefundState, description: 'Where it stands.' }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why, as given.' }),
    requestedBy: t.exposeString('requestedBy', { description: 'Who asked for it.' }),
    duplicate: t.exposeBoolean('duplicate', { description: 'Returns money that was charged a second time.' }),
    failureMessage: t.exposeString('failureMessage', { nullable: true, description: 'Why it failed.' }),
    note: t.exposeString('note', { nullable: true, description: 'What the person who dismissed it after it failed wrote.' }),
    resolvedAt: t.expose('resolvedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was dismissed after it failed, or another was requested in its place.',
    }),
    account: t.field({
      type: Account,
      description: 'The account it goes through.',
      resolve: ({ accountId, gateway }, _args, { switchyard }) => accountOf(switchyard, accountId, gateway),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was asked for.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
});

export const DuplicateCharge = builder.prismaObject('DuplicateCharge', {
  description: 'Money received for a payment that had already been paid.',
  select: { merchantId: true, mode: true, accountId: true, gateway: true, amount: true },
  authScopes: ({ merchantId, mode }) => ({ owner: { merchantId, mode, permission: PERMISSION } }),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the charge.' }),
    paymentId: t.exposeID('paymentId', { description: 'The payment that had been paid.' }),
    account: t.field({
      type: Account,
      description: 'The account that was paid again.',
      resolve: ({ accountId, gateway }, _args, { switchyard }) => accountOf(switchyard, accountId, gateway),
    }),
    reference: t.exposeString('reference', { description: 'Our reference at the gateway.' }),
    transactionId: t.exposeString('transactionId', { description: "The gateway's own id of the transaction." }),
    amount: t.field({ type: 'Decimal', description: 'How much came.', resolve: ({ amount }) => amount.toFixed() }),
    currency: t.exposeString('currency', { description: 'ISO 4217.' }),
    state: t.expose('state', { type: DuplicateChargeState, description: 'What became of it.' }),
    note: t.exposeString('note', { nullable: true, description: 'What the person who settled it wrote.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was found.' }),
  }),
});

export const WebhookDelivery = builder.prismaObject('WebhookDelivery', {
  description: "An event on its way to one of the merchant's endpoints.",
  select: { merchantId: true },
  authScopes: ({ merchantId }) => ({ owner: { merchantId, mode: null, permission: 'webhook:read' } }),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the delivery.' }),
    eventId: t.exposeID('eventId', { description: 'Id of the event record: webhook-id.' }),
    endpointId: t.exposeID('endpointId', { description: 'The endpoint.' }),
    type: t.exposeString('type', { description: 'Type of the event.' }),
    state: t.expose('state', { type: DeliveryState, description: 'Where it stands.' }),
    attempts: t.exposeInt('attempts', { description: 'How often it was tried.' }),
    lastStatus: t.exposeInt('lastStatus', { nullable: true, description: 'HTTP status of the last answer.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the event happened.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
});

import {
  type AttemptDescription,
  describePayment,
  type PaymentDescription,
  type RefundDescription,
  type TimelineDescription,
} from '@switchyard/payments';
import { merchantsWhere } from '../staff/merchants-where.ts';
import { builder } from './builder.ts';
import { DecisionType } from './decision.ts';
import { AttemptState, Mode, PaymentStatus, RefundState } from './enums.ts';
import { knownMerchants } from './merchants.ts';

const Customer = builder.objectRef<PaymentDescription['customer']>('Customer').implement({
  description: 'Who pays, as the merchant named them.',
  fields: (t) => ({
    email: t.exposeString('email', { description: 'E-mail address.' }),
    id: t.exposeString('id', { nullable: true, description: "The merchant's own id of the customer." }),
    phone: t.exposeString('phone', { nullable: true, description: 'Phone number.' }),
    country: t.exposeString('country', { nullable: true, description: 'ISO 3166-1 alpha-2.' }),
  }),
});

const Money = builder.objectRef<PaymentDescription['money']>('PaymentMoney').implement({
  description: 'What was received, kept and returned.',
  fields: (t) => ({
    received: t.expose('received', { type: 'Decimal', nullable: true, description: 'What the gateway says it received.' }),
    receivedCurrency: t.exposeString('receivedCurrency', { nullable: true, description: 'ISO 4217.' }),
    fee: t.expose('fee', { type: 'Decimal', nullable: true, description: "The gateway's fee, where it tells." }),
    paidMethod: t.exposeString('paidMethod', { nullable: true, description: 'The method the customer used.' }),
    paidAt: t.expose('paidAt', { type: 'DateTime', nullable: true, description: 'When the gateway was paid.' }),
    refunded: t.expose('refunded', { type: 'Amount', description: 'Returned to the customer so far.' }),
  }),
});

const Attempt = builder.objectRef<AttemptDescription>('Attempt').implement({
  description: 'One try to open a checkout at one account.',
  fields: (t) => ({
    id: t.exposeID('attemptId', { description: 'Id of the attempt.' }),
    position: t.exposeInt('position', { description: 'From 0, in the order tried.' }),
    gateway: t.exposeString('gateway', { description: 'The gateway, by name.' }),
    accountId: t.exposeID('accountId', { description: "The merchant's account there." }),
    accountLabel: t.exposeString('accountLabel', { nullable: true, description: 'What the merchant calls the account.' }),
    reference: t.exposeString('reference', { description: 'Our reference at the gateway.' }),
    state: t.expose('state', { type: AttemptState, description: 'What is known of it.' }),
    current: t.exposeBoolean('current', { description: "The customer was given this attempt's checkout." }),
    duplicate: t.exposeBoolean('duplicate', { description: 'Paid although another attempt had already paid the payment.' }),
    failureCode: t.string({
      nullable: true,
      description: 'Why it failed, as a code.',
      resolve: ({ failure }) => failure?.code ?? null,
    }),
    failureMessage: t.string({
      nullable: true,
      description: 'Why it failed, as a sentence.',
      resolve: ({ failure }) => failure?.message ?? null,
    }),
    latencyMs: t.exposeInt('latencyMs', { nullable: true, description: 'Milliseconds the gateway took.' }),
    transactionId: t.exposeString('transactionId', { nullable: true, description: "The gateway's own id of the transaction." }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was recorded.' }),
  }),
});

const TimelineEvent = builder.objectRef<TimelineDescription>('TimelineEvent').implement({
  description: 'Something that happened to a payment.',
  fields: (t) => ({
    id: t.exposeID('eventId', { description: 'Id of the event.' }),
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

const Refund = builder.objectRef<RefundDescription>('Refund').implement({
  description: 'Money on its way back to the customer.',
  fields: (t) => ({
    id: t.exposeID('refundId', { description: 'Id of the refund.' }),
    amount: t.expose('amount', { type: 'Amount', description: 'How much.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217.' }),
    state: t.expose('state', { type: RefundState, description: 'Where it stands.' }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why, as given.' }),
    requestedBy: t.exposeString('requestedBy', { description: 'Who asked for it.' }),
    duplicate: t.exposeBoolean('duplicate', { description: 'Returns money that was charged a second time.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was asked for.' }),
  }),
});

const Payment = builder.objectRef<PaymentDescription>('Payment').implement({
  description: 'A payment with everything that happened to it.',
  fields: (t) => ({
    id: t.exposeID('paymentId', { description: 'Id of the payment: paymentId in the REST API.' }),
    merchantId: t.exposeID('merchantId', { description: 'The merchant it belongs to.' }),
    merchantName: t.exposeString('merchantName', { description: "The merchant's name." }),
    mode: t.expose('mode', { type: Mode, description: 'Test or live.' }),
    merchantOrderId: t.exposeString('merchantOrderId', { description: "The merchant's own order reference." }),
    status: t.expose('status', { type: PaymentStatus, description: 'Where it stands.' }),
    amount: t.expose('amount', { type: 'Amount', description: 'What the customer is to pay.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217.' }),
    paymentMethod: t.exposeString('paymentMethod', { nullable: true, description: 'The method asked for.' }),
    gateway: t.exposeString('gateway', {
      description: 'The gateway whose checkout the customer has; empty when none was eligible.',
    }),
    gatewayReference: t.exposeString('gatewayReference', { nullable: true, description: 'Our reference there.' }),
    late: t.exposeBoolean('late', { description: 'Paid after it had been called failed.' }),
    customer: t.expose('customer', { type: Customer, description: 'Who pays.' }),
    money: t.expose('money', { type: Money, description: 'What was received, kept and returned.' }),
    metadata: t.expose('metadata', { type: 'JSON', nullable: true, description: "The merchant's own details." }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until when the customer may pay.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was recorded.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
    decision: t.expose('decision', { type: DecisionType, description: 'Why it was routed as it was.' }),
    attempts: t.field({
      type: [Attempt],
      description: 'Tries to open a checkout, in order.',
      resolve: ({ attempts }) => [...attempts],
    }),
    timeline: t.field({
      type: [TimelineEvent],
      description: 'What happened, in order.',
      resolve: ({ timeline }) => [...timeline],
    }),
    refunds: t.field({ type: [Refund], description: 'Refunds, in order.', resolve: ({ refunds }) => [...refunds] }),
  }),
});

builder.queryField('payment', (t) =>
  t.field({
    type: Payment,
    nullable: true,
    description: 'One payment of a merchant you may see; null when there is no such payment.',
    authScopes: { permission: 'payment:read' },
    args: { id: t.arg.id({ required: true, description: 'Id of the payment.' }) },
    resolve: async (_root, { id }, { switchyard, session }) =>
      describePayment(switchyard.payments, {
        merchantIds: merchantsWhere(session, 'payment:read', await knownMerchants(switchyard)),
        paymentId: String(id),
      }),
  }),
);

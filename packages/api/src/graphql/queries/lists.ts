import { type DisputeSum, disputeList, sumDisputes } from '@switchyard/disputes/lists';
import { duplicateChargeList, refundList } from '@switchyard/payments/lists';
import { ANY_DISCREPANCY, discrepancyList } from '@switchyard/reconciliation/discrepancy-filter';
import { deliveryList } from '@switchyard/webhooks/delivery-filter';
import { builder, type GraphqlContext } from '../builder.ts';
import { idOf, pageCost, uuid } from '../inputs.ts';
import { Account, accountOf } from '../types/account.ts';
import { Dispute, DisputeState } from '../types/dispute.ts';
import { DeliveryState, DiscrepancyKind, DiscrepancyState, DuplicateChargeState, RefundState } from '../types/enums.ts';
import { DuplicateCharge, Refund, WebhookDelivery } from '../types/payment-parts.ts';
import { filterOf, readPage, scopeFields } from './read-page.ts';

/** GraphQL type of a reconciliation discrepancy; read with `report:read` only. */
const Discrepancy = builder.prismaObject('ReconciliationDiscrepancy', {
  name: 'ReconciliationDiscrepancy',
  description: "A mismatch between a gateway's statement and the ledger, found by reconciliation.",
  select: { merchantId: true, mode: true, accountId: true, gateway: true, day: true },
  authScopes: ({ merchantId, mode }) => ({ owner: { merchantId, mode, permission: 'report:read' } }),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the discrepancy.' }),
    account: t.field({
      type: Account,
      description: 'The gateway account that was reconciled.',
      resolve: ({ accountId, gateway }, _args, { switchyard }) => accountOf(switchyard, accountId, gateway),
    }),
    day: t.string({
      description: 'The day that was reconciled: YYYY-MM-DD.',
      resolve: ({ day }) => day.toISOString().slice(0, 10),
    }),
    kind: t.expose('kind', { type: DiscrepancyKind, description: 'How they differ.' }),
    state: t.expose('state', { type: DiscrepancyState, description: 'Its state.' }),
    paymentId: t.exposeID('paymentId', { nullable: true, description: 'The payment it is about, where the ledger has one.' }),
    reference: t.exposeString('reference', { nullable: true, description: 'The reference sent to the gateway.' }),
    transactionId: t.exposeString('transactionId', { nullable: true, description: "The gateway's own id of the transaction." }),
    ledger: t.expose('ledger', { type: 'JSON', nullable: true, description: "The ledger's entry; null where it has none." }),
    statement: t.expose('statement', {
      type: 'JSON',
      nullable: true,
      description: "The statement's entry; null where it has none.",
    }),
    note: t.exposeString('note', { nullable: true, description: "The owner's note." }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was found.' }),
  }),
});

/*
 * Lists sorted by time, newest first, of records that are few per merchant. An index serves each page.
 */

const RefundFilter = builder.inputType('RefundFilter', {
  description: 'Filter of refunds. An omitted field matches all.',
  fields: (t) => ({ ...scopeFields(t), states: t.field({ type: [RefundState], description: 'States.' }) }),
});

builder.queryField('refunds', (t) =>
  t.connection(
    {
      type: Refund,
      description: 'Refunds, newest first.',
      authScopes: { permission: 'payment:read' },
      args: { filter: t.arg({ type: RefundFilter, required: true, description: 'Filter.' }) },
      complexity: pageCost,
      resolve: (_root, { filter, ...args }, context) => {
        const { prisma } = context.reports;
        const conditions = { ...filterOf(context, 'payment:read', filter), gateways: [], paymentId: null };
        return readPage(context, refundList(conditions), args, (rows) => prisma.refund.findMany(rows));
      },
    },
    { name: 'RefundConnection', description: 'A page of refunds.' },
    { name: 'RefundEdge', description: 'A refund and its cursor.' },
  ),
);

const DuplicateFilter = builder.inputType('DuplicateChargeFilter', {
  description: 'Filter of duplicate charges. An omitted field matches all.',
  fields: (t) => ({ ...scopeFields(t), states: t.field({ type: [DuplicateChargeState], description: 'States.' }) }),
});

builder.queryField('duplicateCharges', (t) =>
  t.connection(
    {
      type: DuplicateCharge,
      description: 'Duplicate charges, newest first.',
      authScopes: { permission: 'payment:read' },
      args: { filter: t.arg({ type: DuplicateFilter, required: true, description: 'Filter.' }) },
      complexity: pageCost,
      resolve: (_root, { filter, ...args }, context) => {
        const { prisma } = context.reports;
        const conditions = { ...filterOf(context, 'payment:read', filter), gateways: [], paymentId: null };
        return readPage(context, duplicateChargeList(conditions), args, (rows) => prisma.duplicateCharge.findMany(rows));
      },
    },
    { name: 'DuplicateChargeConnection', description: 'A page of duplicate charges.' },
    { name: 'DuplicateChargeEdge', description: 'A duplicate charge and its cursor.' },
  ),
);

const DiscrepancyFilter = builder.inputType('DiscrepancyFilter', {
  description: 'Filter of discrepancies. An omitted field matches all.',
  fields: (t) => ({ ...scopeFields(t), states: t.field({ type: [DiscrepancyState], description: 'States.' }) }),
});

builder.queryField('reconciliation', (t) =>
  t.connection(
    {
      type: Discrepancy,
      description: "Discrepancies between gateways' statements and the ledger, newest first.",
      authScopes: { permission: 'report:read' },
      args: { filter: t.arg({ type: DiscrepancyFilter, required: true, description: 'Filter.' }) },
      complexity: pageCost,
      resolve: (_root, { filter, ...args }, context) => {
        const { prisma } = context.reports;
        const conditions = { ...ANY_DISCREPANCY, ...filterOf(context, 'report:read', filter) };
        return readPage(context, discrepancyList(conditions), args, (rows) => prisma.reconciliationDiscrepancy.findMany(rows));
      },
    },
    { name: 'DiscrepancyConnection', description: 'A page of discrepancies.' },
    { name: 'DiscrepancyEdge', description: 'A discrepancy and its cursor.' },
  ),
);

const DeliveryFilter = builder.inputType('WebhookDeliveryFilter', {
  description: 'Filter of deliveries. An omitted field matches all.',
  fields: (t) => ({ ...scopeFields(t), states: t.field({ type: [DeliveryState], description: 'States.' }) }),
});

builder.queryField('webhookDeliveries', (t) =>
  t.connection(
    {
      type: WebhookDelivery,
      description: "Webhook deliveries to merchants' endpoints, newest first.",
      authScopes: { permission: 'webhook:read' },
      args: { filter: t.arg({ type: DeliveryFilter, required: true, description: 'Filter.' }) },
      complexity: pageCost,
      resolve: (_root, { filter, ...args }, context) => {
        const { prisma } = context.reports;
        const conditions = { ...filterOf(context, 'webhook:read', filter), endpointId: null, types: [], about: null };
        return readPage(context, deliveryList(conditions), args, (rows) => prisma.webhookDelivery.findMany(rows));
      },
    },
    { name: 'WebhookDeliveryConnection', description: 'A page of deliveries.' },
    { name: 'WebhookDeliveryEdge', description: 'A delivery and its cursor.' },
  ),
);

const DisputesFilter = builder.inputType('DisputesFilter', {
  description: 'Filter of disputes. An omitted field matches all.',
  fields: (t) => ({
    ...scopeFields(t),
    states: t.field({ type: [DisputeState], description: 'States.' }),
    gateways: t.stringList({ description: 'Names of gateways.' }),
    paymentId: t.id({ description: 'The disputed payment.', validate: uuid }),
  }),
});

function disputesOf(context: GraphqlContext, filter: typeof DisputesFilter.$inferInput) {
  return { ...filterOf(context, 'payment:read', filter), gateways: filter.gateways ?? [], paymentId: idOf(filter.paymentId) };
}

builder.queryField('disputes', (t) =>
  t.connection(
    {
      type: Dispute,
      description: 'Disputes, newest first.',
      authScopes: { permission: 'payment:read' },
      args: { filter: t.arg({ type: DisputesFilter, required: true, description: 'Filter.' }) },
      complexity: pageCost,
      resolve: (_root, { filter, ...args }, context) => {
        const { prisma } = context.reports;
        return readPage(context, disputeList(disputesOf(context, filter)), args, (rows) => prisma.dispute.findMany(rows));
      },
    },
    { name: 'DisputeConnection', description: 'A page of disputes.' },
    { name: 'DisputeEdge', description: 'A dispute and its cursor.' },
  ),
);

const DisputeSums = builder.objectRef<DisputeSum>('DisputeSum').implement({
  description: 'Disputes of one state and currency together.',
  fields: (t) => ({
    state: t.expose('state', { type: DisputeState, description: 'Their state.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code of their amounts.' }),
    count: t.exposeInt('count', { description: 'The number of disputes.' }),
    amount: t.field({ type: 'Decimal', description: 'Disputed.', resolve: ({ amount }) => amount }),
    takenBack: t.field({ type: 'Decimal', description: 'Taken back of their payments.', resolve: ({ takenBack }) => takenBack }),
    fees: t.field({ type: 'Decimal', description: 'Fees that are known.', resolve: ({ fees }) => fees }),
  }),
});

builder.queryField('disputeSums', (t) =>
  t.field({
    type: [DisputeSums],
    description: 'Disputes counted and added up by state and currency.',
    authScopes: { permission: 'payment:read' },
    args: { filter: t.arg({ type: DisputesFilter, required: true, description: 'Filter.' }) },
    complexity: { field: 50, multiplier: 10 },
    resolve: (_root, { filter }, context) => sumDisputes(context.reports, disputesOf(context, filter), context.signal),
  }),
);

import { type DisputeSum, disputeNoun, sumDisputes } from '@switchyard/disputes/lists';
import { listOf } from '@switchyard/nouns';
import { duplicateChargeNoun, refundNoun } from '@switchyard/payments/lists';
import { discrepancyNoun } from '@switchyard/reconciliation/discrepancy-noun';
import { deliveryNoun } from '@switchyard/webhooks/delivery-noun';
import { builder } from '../builder.ts';
import { pageCost } from '../inputs.ts';
import { nounFilter, showFields } from '../nouns.ts';
import { Account, accountOf } from '../types/account.ts';
import { Dispute } from '../types/dispute.ts';
import { DisputeState } from '../types/enums.ts';
import { DuplicateCharge, Refund, WebhookDelivery } from '../types/payment-parts.ts';
import { readPage } from './read-page.ts';

/** GraphQL type of a reconciliation discrepancy; read with `report:read` only. */
const Discrepancy = builder.prismaObject('ReconciliationDiscrepancy', {
  name: 'ReconciliationDiscrepancy',
  description: "A mismatch between a gateway's statement and the ledger, found by reconciliation.",
  authScopes: ({ merchantId, mode }) => ({ owner: { merchantId, mode, permission: discrepancyNoun.permission } }),
  fields: (t) => ({
    account: t.field({
      type: Account,
      description: 'The gateway account that was reconciled.',
      resolve: ({ accountId, gateway }, _args, { switchyard }) => accountOf(switchyard, accountId, gateway),
    }),
  }),
});
showFields(Discrepancy, 'ReconciliationDiscrepancy', discrepancyNoun, 'discrepancy_id');

/*
 * Lists sorted by time, newest first, of records that are few per merchant. An index serves each page.
 */

const refundFilter = nounFilter('RefundFilter', 'Filter of refunds. An omitted field matches all.', refundNoun);

builder.queryField('refunds', (t) =>
  t.connection(
    {
      type: Refund,
      description: 'Refunds, newest first.',
      authScopes: { permission: refundNoun.permission },
      args: { filter: t.arg({ type: refundFilter.type, required: true, description: 'Filter.' }) },
      complexity: pageCost,
      resolve: (_root, { filter, ...args }, context) => {
        const { prisma } = context.reports;
        const list = listOf(refundNoun, refundFilter.read(context, filter));
        return readPage(context, list, args, (rows) => prisma.refund.findMany(rows));
      },
    },
    { name: 'RefundConnection', description: 'A page of refunds.' },
    { name: 'RefundEdge', description: 'A refund and its cursor.' },
  ),
);

const duplicateChargeFilter = nounFilter(
  'DuplicateChargeFilter',
  'Filter of duplicate charges. An omitted field matches all.',
  duplicateChargeNoun,
);

builder.queryField('duplicateCharges', (t) =>
  t.connection(
    {
      type: DuplicateCharge,
      description: 'Duplicate charges, newest first.',
      authScopes: { permission: duplicateChargeNoun.permission },
      args: { filter: t.arg({ type: duplicateChargeFilter.type, required: true, description: 'Filter.' }) },
      complexity: pageCost,
      resolve: (_root, { filter, ...args }, context) => {
        const { prisma } = context.reports;
        const list = listOf(duplicateChargeNoun, duplicateChargeFilter.read(context, filter));
        return readPage(context, list, args, (rows) => prisma.duplicateCharge.findMany(rows));
      },
    },
    { name: 'DuplicateChargeConnection', description: 'A page of duplicate charges.' },
    { name: 'DuplicateChargeEdge', description: 'A duplicate charge and its cursor.' },
  ),
);

const discrepancyFilter = nounFilter(
  'DiscrepancyFilter',
  'Filter of discrepancies. An omitted field matches all.',
  discrepancyNoun,
);

builder.queryField('reconciliation', (t) =>
  t.connection(
    {
      type: Discrepancy,
      description: "Discrepancies between gateways' statements and the ledger, newest first.",
      authScopes: { permission: discrepancyNoun.permission },
      args: { filter: t.arg({ type: discrepancyFilter.type, required: true, description: 'Filter.' }) },
      complexity: pageCost,
      resolve: (_root, { filter, ...args }, context) => {
        const { prisma } = context.reports;
        const list = listOf(discrepancyNoun, discrepancyFilter.read(context, filter));
        return readPage(context, list, args, (rows) => prisma.reconciliationDiscrepancy.findMany(rows));
      },
    },
    { name: 'DiscrepancyConnection', description: 'A page of discrepancies.' },
    { name: 'DiscrepancyEdge', description: 'A discrepancy and its cursor.' },
  ),
);

const webhookDeliveryFilter = nounFilter(
  'WebhookDeliveryFilter',
  'Filter of deliveries. An omitted field matches all.',
  deliveryNoun,
);

builder.queryField('webhookDeliveries', (t) =>
  t.connection(
    {
      type: WebhookDelivery,
      description: "Webhook deliveries to merchants' endpoints, newest first.",
      authScopes: { permission: deliveryNoun.permission },
      args: { filter: t.arg({ type: webhookDeliveryFilter.type, required: true, description: 'Filter.' }) },
      complexity: pageCost,
      resolve: (_root, { filter, ...args }, context) => {
        const { prisma } = context.reports;
        const list = listOf(deliveryNoun, webhookDeliveryFilter.read(context, filter));
        return readPage(context, list, args, (rows) => prisma.webhookDelivery.findMany(rows));
      },
    },
    { name: 'WebhookDeliveryConnection', description: 'A page of deliveries.' },
    { name: 'WebhookDeliveryEdge', description: 'A delivery and its cursor.' },
  ),
);

const disputesFilter = nounFilter('DisputesFilter', 'Filter of disputes. An omitted field matches all.', disputeNoun);

builder.queryField('disputes', (t) =>
  t.connection(
    {
      type: Dispute,
      description: 'Disputes, newest first.',
      authScopes: { permission: disputeNoun.permission },
      args: { filter: t.arg({ type: disputesFilter.type, required: true, description: 'Filter.' }) },
      complexity: pageCost,
      resolve: (_root, { filter, ...args }, context) => {
        const { prisma } = context.reports;
        const list = listOf(disputeNoun, disputesFilter.read(context, filter));
        return readPage(context, list, args, (rows) => prisma.dispute.findMany(rows));
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
    authScopes: { permission: disputeNoun.permission },
    args: { filter: t.arg({ type: disputesFilter.type, required: true, description: 'Filter.' }) },
    complexity: { field: 50, multiplier: 10 },
    resolve: (_root, { filter }, context) => sumDisputes(context.reports, disputesFilter.read(context, filter), context.signal),
  }),
);

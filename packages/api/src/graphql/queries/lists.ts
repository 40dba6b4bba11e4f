import { duplicateChargeList, refundList } from '@switchyard/payments/lists';
import { ANY_DISCREPANCY } from '@switchyard/reconciliation/discrepancies';
import { discrepancyList } from '@switchyard/reconciliation/discrepancy-filter';
import type { Permission } from '@switchyard/staff/permissions';
import { deliveryList } from '@switchyard/webhooks/delivery-filter';
import { builder, type GraphqlContext } from '../builder.ts';
import { pageCost, uuids } from '../inputs.ts';
import { requestedMerchants } from '../requested-merchants.ts';
import { Discrepancy } from '../types/discrepancy.ts';
import { DeliveryState, DiscrepancyState, DuplicateChargeState, Mode, RefundState } from '../types/enums.ts';
import { DuplicateCharge, Refund, WebhookDelivery } from '../types/payment-parts.ts';
import { readPage } from './read-page.ts';

/*
 * Lists sorted by time, newest first, of records that are few per merchant. An index serves each page.
 */

interface ListFilterInput<State extends string> {
  readonly merchantIds?: readonly (string | number)[] | null | undefined;
  readonly mode: 'test' | 'live';
  readonly createdFrom?: Date | null | undefined;
  readonly createdTo?: Date | null | undefined;
  readonly states?: readonly State[] | null | undefined;
}

/** Common part of the filters of these lists, of merchants the viewer may read. */
function filterOf<State extends string>({ viewer }: GraphqlContext, permission: Permission, input: ListFilterInput<State>) {
  return {
    merchantIds: requestedMerchants(viewer, permission, input),
    mode: input.mode,
    createdFrom: input.createdFrom ?? null,
    createdTo: input.createdTo ?? null,
    states: input.states ?? [],
  };
}

const scope = {
  mode: { description: 'Test or live.' },
  merchantIds: { description: 'Merchants; all that the caller may read when omitted.', validate: uuids },
  createdFrom: { description: 'Created at this time or later.' },
  createdTo: { description: 'Created before this time.' },
} as const;

const RefundFilter = builder.inputType('RefundFilter', {
  description: 'Filter of refunds. An omitted field matches all.',
  fields: (t) => ({
    mode: t.field({ type: Mode, required: true, ...scope.mode }),
    merchantIds: t.idList(scope.merchantIds),
    createdFrom: t.field({ type: 'DateTime', ...scope.createdFrom }),
    createdTo: t.field({ type: 'DateTime', ...scope.createdTo }),
    states: t.field({ type: [RefundState], description: 'States.' }),
  }),
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
        const { prisma } = context.switchyard.resources.reports;
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
  fields: (t) => ({
    mode: t.field({ type: Mode, required: true, ...scope.mode }),
    merchantIds: t.idList(scope.merchantIds),
    createdFrom: t.field({ type: 'DateTime', ...scope.createdFrom }),
    createdTo: t.field({ type: 'DateTime', ...scope.createdTo }),
    states: t.field({ type: [DuplicateChargeState], description: 'States.' }),
  }),
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
        const { prisma } = context.switchyard.resources.reports;
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
  fields: (t) => ({
    mode: t.field({ type: Mode, required: true, ...scope.mode }),
    merchantIds: t.idList(scope.merchantIds),
    createdFrom: t.field({ type: 'DateTime', ...scope.createdFrom }),
    createdTo: t.field({ type: 'DateTime', ...scope.createdTo }),
    states: t.field({ type: [DiscrepancyState], description: 'States.' }),
  }),
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
        const { prisma } = context.switchyard.resources.reports;
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
  fields: (t) => ({
    mode: t.field({ type: Mode, required: true, ...scope.mode }),
    merchantIds: t.idList(scope.merchantIds),
    createdFrom: t.field({ type: 'DateTime', ...scope.createdFrom }),
    createdTo: t.field({ type: 'DateTime', ...scope.createdTo }),
    states: t.field({ type: [DeliveryState], description: 'States.' }),
  }),
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
        const { prisma } = context.switchyard.resources.reports;
        const conditions = { ...filterOf(context, 'webhook:read', filter), endpointId: null, types: [], about: null };
        return readPage(context, deliveryList(conditions), args, (rows) => prisma.webhookDelivery.findMany(rows));
      },
    },
    { name: 'WebhookDeliveryConnection', description: 'A page of deliveries.' },
    { name: 'WebhookDeliveryEdge', description: 'A delivery and its cursor.' },
  ),
);

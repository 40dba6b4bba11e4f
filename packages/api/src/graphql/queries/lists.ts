import { duplicateChargeList, refundList } from '@switchyard/payments/lists';
import { ANY_DISCREPANCY, discrepancyList } from '@switchyard/reconciliation';
import type { Permission } from '@switchyard/staff';
import { deliveryList } from '@switchyard/webhooks/deliveries';
import { builder, type GraphqlContext } from '../builder.ts';
import { pageCost, uuids } from '../inputs.ts';
import { requestedMerchants } from '../requested-merchants.ts';
import { Difference } from '../types/difference.ts';
import { DeliveryState, DifferenceState, DuplicateChargeState, Mode, RefundState } from '../types/enums.ts';
import { DuplicateCharge, Refund, WebhookDelivery } from '../types/payment-parts.ts';
import { readPage } from './read-page.ts';

/*
 * Lists sorted by time, newest first, of records that are few per merchant. An index serves each page.
 */

interface Wanted<State extends string> {
  readonly merchantIds?: readonly (string | number)[] | null | undefined;
  readonly mode: 'test' | 'live';
  readonly createdFrom?: Date | null | undefined;
  readonly createdTo?: Date | null | undefined;
  readonly states?: readonly State[] | null | undefined;
}

/** What the filters of these lists have in common, of merchants the viewer may read. */
function filterOf<State extends string>({ viewer }: GraphqlContext, permission: Permission, wanted: Wanted<State>) {
  return {
    merchantIds: requestedMerchants(viewer, permission, wanted),
    mode: wanted.mode,
    createdFrom: wanted.createdFrom ?? null,
    createdTo: wanted.createdTo ?? null,
    states: wanted.states ?? [],
  };
}

const scope = {
  mode: { description: 'Test or live.' },
  merchantIds: { description: 'Merchants; all that you reach when left out.', validate: uuids },
  createdFrom: { description: 'Recorded then or later.' },
  createdTo: { description: 'Recorded before then.' },
} as const;

const RefundFilter = builder.inputType('RefundFilter', {
  description: 'Which refunds. What is left out stands for any.',
  fields: (t) => ({
    mode: t.field({ type: Mode, required: true, ...scope.mode }),
    merchantIds: t.idList(scope.merchantIds),
    createdFrom: t.field({ type: 'DateTime', ...scope.createdFrom }),
    createdTo: t.field({ type: 'DateTime', ...scope.createdTo }),
    states: t.field({ type: [RefundState], description: 'Where they stand.' }),
  }),
});

builder.queryField('refunds', (t) =>
  t.connection(
    {
      type: Refund,
      description: 'Refunds, newest first.',
      authScopes: { permission: 'payment:read' },
      args: { filter: t.arg({ type: RefundFilter, required: true, description: 'Which refunds.' }) },
      complexity: pageCost,
      resolve: (_root, { filter, ...args }, context) => {
        const { prisma } = context.switchyard.resources.reports;
        const wanted = { ...filterOf(context, 'payment:read', filter), gateways: [], paymentId: null };
        return readPage(context, refundList(wanted), args, (rows) => prisma.refund.findMany(rows));
      },
    },
    { name: 'RefundConnection', description: 'A page of refunds.' },
    { name: 'RefundEdge', description: 'A refund in its place.' },
  ),
);

const DuplicateFilter = builder.inputType('DuplicateChargeFilter', {
  description: 'Which duplicate charges. What is left out stands for any.',
  fields: (t) => ({
    mode: t.field({ type: Mode, required: true, ...scope.mode }),
    merchantIds: t.idList(scope.merchantIds),
    createdFrom: t.field({ type: 'DateTime', ...scope.createdFrom }),
    createdTo: t.field({ type: 'DateTime', ...scope.createdTo }),
    states: t.field({ type: [DuplicateChargeState], description: 'What became of them.' }),
  }),
});

builder.queryField('duplicateCharges', (t) =>
  t.connection(
    {
      type: DuplicateCharge,
      description: 'Money that came a second time, newest first.',
      authScopes: { permission: 'payment:read' },
      args: { filter: t.arg({ type: DuplicateFilter, required: true, description: 'Which charges.' }) },
      complexity: pageCost,
      resolve: (_root, { filter, ...args }, context) => {
        const { prisma } = context.switchyard.resources.reports;
        const wanted = { ...filterOf(context, 'payment:read', filter), gateways: [], paymentId: null };
        return readPage(context, duplicateChargeList(wanted), args, (rows) => prisma.duplicateCharge.findMany(rows));
      },
    },
    { name: 'DuplicateChargeConnection', description: 'A page of duplicate charges.' },
    { name: 'DuplicateChargeEdge', description: 'A duplicate charge in its place.' },
  ),
);

const DifferenceFilter = builder.inputType('DifferenceFilter', {
  description: 'Which differences. What is left out stands for any.',
  fields: (t) => ({
    mode: t.field({ type: Mode, required: true, ...scope.mode }),
    merchantIds: t.idList(scope.merchantIds),
    createdFrom: t.field({ type: 'DateTime', ...scope.createdFrom }),
    createdTo: t.field({ type: 'DateTime', ...scope.createdTo }),
    states: t.field({ type: [DifferenceState], description: 'Whether somebody has dealt with them.' }),
  }),
});

builder.queryField('reconciliation', (t) =>
  t.connection(
    {
      type: Difference,
      description: "Differences between gateways' own lists and our books, newest first.",
      authScopes: { permission: 'report:read' },
      args: { filter: t.arg({ type: DifferenceFilter, required: true, description: 'Which differences.' }) },
      complexity: pageCost,
      resolve: (_root, { filter, ...args }, context) => {
        const { prisma } = context.switchyard.resources.reports;
        const wanted = { ...ANY_DISCREPANCY, ...filterOf(context, 'report:read', filter) };
        return readPage(context, discrepancyList(wanted), args, (rows) => prisma.reconciliationDiscrepancy.findMany(rows));
      },
    },
    { name: 'DifferenceConnection', description: 'A page of differences.' },
    { name: 'DifferenceEdge', description: 'A difference in its place.' },
  ),
);

const DeliveryFilter = builder.inputType('WebhookDeliveryFilter', {
  description: 'Which deliveries. What is left out stands for any.',
  fields: (t) => ({
    mode: t.field({ type: Mode, required: true, ...scope.mode }),
    merchantIds: t.idList(scope.merchantIds),
    createdFrom: t.field({ type: 'DateTime', ...scope.createdFrom }),
    createdTo: t.field({ type: 'DateTime', ...scope.createdTo }),
    states: t.field({ type: [DeliveryState], description: 'Where they stand.' }),
  }),
});

builder.queryField('webhookDeliveries', (t) =>
  t.connection(
    {
      type: WebhookDelivery,
      description: "Events on their way to merchants' endpoints, newest first.",
      authScopes: { permission: 'webhook:read' },
      args: { filter: t.arg({ type: DeliveryFilter, required: true, description: 'Which deliveries.' }) },
      complexity: pageCost,
      resolve: (_root, { filter, ...args }, context) => {
        const { prisma } = context.switchyard.resources.reports;
        const wanted = { ...filterOf(context, 'webhook:read', filter), endpointId: null, types: [], about: null };
        return readPage(context, deliveryList(wanted), args, (rows) => prisma.webhookDelivery.findMany(rows));
      },
    },
    { name: 'WebhookDeliveryConnection', description: 'A page of deliveries.' },
    { name: 'WebhookDeliveryEdge', description: 'A delivery in its place.' },
  ),
);

import { type ResolveCursorConnectionArgs, resolveCursorConnection } from '@pothos/plugin-relay';
import type { Permission } from '@switchyard/staff';
import { builder, type GraphqlContext } from '../builder.ts';
import { fromCursor, type TimeKey, toCursor } from '../cursors.ts';
import { checkedPage, pageCost, uuids } from '../inputs.ts';
import { LIMITS } from '../limits.ts';
import { requestedMerchants } from '../requested-merchants.ts';
import { Difference } from '../types/difference.ts';
import { DeliveryState, DifferenceState, DuplicateChargeState, Mode, RefundState } from '../types/enums.ts';
import { DuplicateCharge, Refund, WebhookDelivery } from '../types/payment-parts.ts';

/*
 * Lists sorted by time, newest first, of records that are few per merchant. An index serves each page.
 */

interface Wanted {
  readonly merchantIds?: readonly (string | number)[] | null | undefined;
  readonly mode: 'test' | 'live';
  readonly createdFrom?: Date | null | undefined;
  readonly createdTo?: Date | null | undefined;
}

type Conditions = ReturnType<typeof conditions>;

function conditions(merchantIds: readonly string[], { mode, createdFrom, createdTo }: Wanted, keys: readonly object[]) {
  return {
    merchantId: { in: [...merchantIds] },
    mode,
    createdAt: { ...(createdFrom && { gte: createdFrom }), ...(createdTo && { lt: createdTo }) },
    AND: [...keys],
  };
}

const beyond = ({ createdAt, id }: TimeKey, side: 'lt' | 'gt') => ({
  OR: [{ createdAt: { [side]: createdAt } }, { createdAt, id: { [side]: id } }],
});

/** The requested rows after or before a cursor, of merchants the viewer may read. */
function rowsBeyond(
  { viewer }: GraphqlContext,
  permission: Permission,
  wanted: Wanted,
  { before, after }: { readonly before?: string; readonly after?: string },
): Conditions {
  const merchantIds = requestedMerchants(viewer, permission, wanted);
  return conditions(merchantIds, wanted, [
    ...(after === undefined ? [] : [beyond(fromCursor(after), 'lt')]),
    ...(before === undefined ? [] : [beyond(fromCursor(before), 'gt')]),
  ]);
}

const orderOf = (inverted: boolean) => {
  const order = inverted ? ('asc' as const) : ('desc' as const);
  return [{ createdAt: order }, { id: order }];
};

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
      resolve: (_root, { filter, ...args }, context) =>
        resolveCursorConnection(
          { ...checkedPage(args), toCursor: (row) => toCursor(row) },
          async ({ limit, inverted, ...place }: ResolveCursorConnectionArgs) => {
            const rows = await context.switchyard.resources.reports.prisma.refund.findMany({
              where: {
                ...rowsBeyond(context, 'payment:read', filter, place),
                ...(filter.states?.length && { state: { in: [...filter.states] } }),
              },
              orderBy: orderOf(inverted),
              take: limit,
            });
            return rows;
          },
        ),
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
      resolve: (_root, { filter, ...args }, context) =>
        resolveCursorConnection(
          { ...checkedPage(args), toCursor: (row) => toCursor(row) },
          async ({ limit, inverted, ...place }: ResolveCursorConnectionArgs) => {
            const rows = await context.switchyard.resources.reports.prisma.duplicateCharge.findMany({
              where: {
                ...rowsBeyond(context, 'payment:read', filter, place),
                ...(filter.states?.length && { state: { in: [...filter.states] } }),
              },
              orderBy: orderOf(inverted),
              take: limit,
            });
            return rows;
          },
        ),
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
      resolve: (_root, { filter, ...args }, context) =>
        resolveCursorConnection(
          { ...checkedPage(args), toCursor: (row) => toCursor(row) },
          async ({ limit, inverted, ...place }: ResolveCursorConnectionArgs) => {
            const rows = await context.switchyard.resources.reports.prisma.reconciliationDiscrepancy.findMany({
              where: {
                ...rowsBeyond(context, 'report:read', filter, place),
                ...(filter.states?.length && { state: { in: [...filter.states] } }),
              },
              orderBy: orderOf(inverted),
              take: limit,
            });
            return rows;
          },
        ),
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
      resolve: (_root, { filter, ...args }, context) =>
        resolveCursorConnection(
          { ...checkedPage(args), toCursor: (row) => toCursor(row) },
          async ({ limit, inverted, ...place }: ResolveCursorConnectionArgs) => {
            const { prisma } = context.switchyard.resources.reports;
            const { mode, ...where } = rowsBeyond(context, 'webhook:read', filter, place);
            const endpoints = await prisma.webhookEndpoint.findMany({
              where: { merchantId: where.merchantId, mode },
              select: { id: true },
              take: LIMITS.merchants,
            });
            const rows = await prisma.webhookDelivery.findMany({
              where: {
                ...where,
                endpointId: { in: endpoints.map(({ id }) => id) },
                ...(filter.states?.length && { state: { in: [...filter.states] } }),
              },
              orderBy: orderOf(inverted),
              take: limit,
            });
            return rows;
          },
        ),
    },
    { name: 'WebhookDeliveryConnection', description: 'A page of deliveries.' },
    { name: 'WebhookDeliveryEdge', description: 'A delivery in its place.' },
  ),
);

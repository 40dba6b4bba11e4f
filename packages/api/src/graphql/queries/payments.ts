import { queryFromInfo } from '@pothos/plugin-prisma';
import { isUuid } from '@switchyard/db';
import { ANY_PAYMENT, FAILURE_REASONS, type PaymentFilter as ListedPayments, paymentList } from '@switchyard/payments/lists';
import { builder } from '../builder.ts';
import {
  currencyCode,
  failureReasons,
  merchantOrderId,
  names,
  pageCost,
  requestedMerchants,
  ruleIds,
  toId,
  uuids,
} from '../inputs.ts';
import { Mode, PaymentDisplayStatus, PaymentStatus } from '../types/enums.ts';
import { LISTED_PAYMENT, Payment } from '../types/payment.ts';
import { readPage } from './read-page.ts';

const IncidentOutcomeFilter = builder.enumType('IncidentOutcomeFilter', {
  description: 'A part of the impact of an incident, as `IncidentImpact` counts it.',
  values: {
    RECOVERED: { value: 'recovered', description: 'Paid at another account.' },
    SAME_ACCOUNT: { value: 'same_account', description: 'Paid at an account that had failed.' },
    RETRIED: { value: 'retried', description: 'Not paid; the customer paid the same amount with another payment within a day.' },
    OPEN: { value: 'open', description: 'Not paid, and can still be.' },
    LOST: { value: 'lost', description: 'None of these.' },
    LOST_IN_CHECKOUT: {
      value: 'lost_in_checkout',
      description: 'Of the lost ones those whose customer had a checkout at another account.',
    },
  },
});

const PaymentFilter = builder.inputType('PaymentFilter', {
  description: 'Filter of payments. An omitted field or an empty list matches all.',
  fields: (t) => ({
    mode: t.field({ type: Mode, required: true, description: 'Test or live.' }),
    merchantIds: t.idList({ description: 'Merchants; all that the caller may read when omitted.', validate: uuids }),
    statuses: t.field({ type: [PaymentStatus], description: 'States.' }),
    displayStatuses: t.field({ type: [PaymentDisplayStatus], description: 'States as people read them.' }),
    gateways: t.stringList({ description: 'Names of gateways: paystack.', validate: names }),
    accountIds: t.idList({
      description: 'Accounts that were paid, else whose checkout the customer was given.',
      validate: uuids,
    }),
    methods: t.stringList({ description: 'Method used, else the one requested: CARD.', validate: names }),
    failureReasons: t.stringList({ description: 'Why they failed: session_expired.', validate: failureReasons }),
    ruleIds: t.idList({ description: 'Rules that matched.', validate: ruleIds }),
    currency: t.string({ description: 'ISO 4217 code of their amounts.', validate: currencyCode.nullish() }),
    amountFrom: t.field({ type: 'Amount', description: 'Minimum amount, inclusive.' }),
    amountTo: t.field({ type: 'Amount', description: 'Maximum amount, inclusive.' }),
    createdFrom: t.field({ type: 'DateTime', description: 'Created at this time or later.' }),
    createdTo: t.field({ type: 'DateTime', description: 'Created before this time.' }),
    late: t.boolean({ description: 'Paid after they had been marked FAILED.' }),
    underReview: t.boolean({ description: 'Whether under review.' }),
    reversed: t.boolean({ description: 'Whether their gateway took money back.' }),
    disputed: t.boolean({ description: 'Whether a dispute is open.' }),
    fellBackFrom: t.stringList({
      description: 'Names of gateways that failed to open a checkout, so that another gateway was tried.',
      validate: names,
    }),
    affectedByIncident: t.idList({
      description: 'Incidents whose fault they met: an account of theirs failed to open a checkout in their time.',
      validate: uuids,
    }),
    incidentOutcomes: t.field({
      type: [IncidentOutcomeFilter],
      description: 'What became of them in these incidents; without an incident none matches.',
    }),
  }),
});

const PaymentOrder = builder.enumType('PaymentOrder', {
  description: 'Sort order of payments.',
  values: {
    NEWEST_FIRST: { description: 'By creation time, newest first.' },
    OLDEST_FIRST: { description: 'By creation time, oldest first.' },
  },
});

builder.queryField('payments', (t) =>
  t.connection(
    {
      type: Payment,
      description: 'Payments, paginated. Cursors stay valid while payments are created and change.',
      authScopes: { permission: 'payment:read' },
      args: {
        filter: t.arg({ type: PaymentFilter, required: true, description: 'Filter.' }),
        order: t.arg({ type: PaymentOrder, required: true, defaultValue: 'NEWEST_FIRST', description: 'Sort order.' }),
      },
      complexity: pageCost,
      resolve: async (_root, { filter, order, ...args }, context, info) => {
        const { configuration, database } = context.switchyard.resources;
        const merchantIds = requestedMerchants(context.viewer, 'payment:read', filter);
        const isAllMerchants = merchantIds.length === configuration.merchants().length;
        const list = await paymentList(database, toPaymentFilter(filter, merchantIds), isAllMerchants);
        const { select } = queryFromInfo({ context, info, path: ['edges', 'node'], select: LISTED_PAYMENT });
        return readPage(context, { ...list, newestFirst: order === 'NEWEST_FIRST' }, args, (rows) =>
          context.reports.prisma.payment.findMany({ select, ...rows }),
        );
      },
    },
    { name: 'PaymentConnection', description: 'A page of payments.' },
    { name: 'PaymentEdge', description: 'A payment and its cursor.' },
  ),
);

function toPaymentFilter(filter: typeof PaymentFilter.$inferInput, merchantIds: readonly string[]): ListedPayments {
  return {
    ...ANY_PAYMENT,
    merchantIds,
    mode: filter.mode,
    statuses: filter.statuses ?? [],
    displayStatuses: filter.displayStatuses ?? [],
    gateways: filter.gateways ?? [],
    accountIds: texts(filter.accountIds),
    methods: filter.methods ?? [],
    failureReasons: FAILURE_REASONS.filter((reason) => filter.failureReasons?.includes(reason)),
    ruleIds: texts(filter.ruleIds),
    currency: filter.currency ?? null,
    amountFrom: filter.amountFrom ?? null,
    amountTo: filter.amountTo ?? null,
    createdFrom: filter.createdFrom ?? null,
    createdTo: filter.createdTo ?? null,
    late: filter.late ?? null,
    underReview: filter.underReview ?? null,
    reversed: filter.reversed ?? null,
    disputed: filter.disputed ?? null,
    fellBackFrom: filter.fellBackFrom ?? [],
    affectedByIncident: texts(filter.affectedByIncident),
    incidentOutcomes: filter.incidentOutcomes ?? [],
  };
}

function texts(ids: readonly (string | number)[] | null | undefined): string[] {
  return (ids ?? []).map(toId);
}

const OrderOf = builder.inputType('MerchantOrder', {
  description: "A payment by its merchant's own order reference.",
  fields: (t) => ({
    merchantId: t.id({ required: true, description: 'The merchant.' }),
    mode: t.field({ type: Mode, required: true, description: 'Test or live.' }),
    merchantOrderId: t.string({
      required: true,
      description: "The merchant's own order reference.",
      validate: merchantOrderId,
    }),
  }),
});

builder.queryField('payment', (t) =>
  t.prismaField({
    type: Payment,
    nullable: true,
    description: 'One payment, by id or by order; null when there is none or the caller may not read it.',
    authScopes: { permission: 'payment:read' },
    args: {
      id: t.arg.id({ description: 'Id of the payment.' }),
      order: t.arg({ type: OrderOf, description: "The merchant's own order reference." }),
    },
    resolve: async (query, _root, { id, order }, { reports, viewer }) => {
      const reached = viewer.merchantsFor('payment:read');
      const { prisma } = reports;
      const mode = { in: [...viewer.modes] };
      if (order !== null && order !== undefined) {
        const merchantId = toId(order.merchantId);
        if (!reached.includes(merchantId) || !viewer.modes.includes(order.mode)) return null;
        const { merchantOrderId } = order;
        return prisma.payment.findFirst({ ...query, where: { merchantId, mode: order.mode, merchantOrderId } });
      }
      if (id === null || id === undefined || !isUuid(String(id))) return null;
      return prisma.payment.findFirst({ ...query, where: { merchantId: { in: [...reached] }, id: toId(id), mode } });
    },
  }),
);

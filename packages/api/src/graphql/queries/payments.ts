import { queryFromInfo } from '@pothos/plugin-prisma';
import { isUuid } from '@switchyard/db';
import { ANY_PAYMENT, type PaymentFilter as ListedPayments, paymentList } from '@switchyard/payments/lists';
import { builder } from '../builder.ts';
import { merchantOrderId, names, pageCost, ruleIds, uuids } from '../inputs.ts';
import { requestedMerchants } from '../requested-merchants.ts';
import { Mode, PaymentStatus } from '../types/enums.ts';
import { LISTED_PAYMENT, Payment } from '../types/payment.ts';
import { readPage } from './read-page.ts';

const PaymentFilter = builder.inputType('PaymentFilter', {
  description: 'Which payments. What is left out, or an empty list, stands for any.',
  fields: (t) => ({
    mode: t.field({ type: Mode, required: true, description: 'Test or live.' }),
    merchantIds: t.idList({ description: 'Merchants; all that you reach when left out.', validate: uuids }),
    statuses: t.field({ type: [PaymentStatus], description: 'Where they stand.' }),
    gateways: t.stringList({ description: 'Names of gateways: paystack.', validate: names }),
    accountIds: t.idList({ description: 'Accounts that were paid, or whose checkout the customer had.', validate: uuids }),
    methods: t.stringList({ description: 'Method used, else the one asked for: CARD.', validate: names }),
    ruleIds: t.idList({ description: 'Rules that matched.', validate: ruleIds }),
    amountFrom: t.field({ type: 'Amount', description: 'At least this much.' }),
    amountTo: t.field({ type: 'Amount', description: 'At most this much.' }),
    createdFrom: t.field({ type: 'DateTime', description: 'Recorded then or later.' }),
    createdTo: t.field({ type: 'DateTime', description: 'Recorded before then.' }),
    late: t.boolean({ description: 'Paid after they had been called failed.' }),
    underReview: t.boolean({ description: 'Waiting for a person to decide.' }),
  }),
});

const PaymentOrder = builder.enumType('PaymentOrder', {
  description: 'In what order payments are listed.',
  values: { NEWEST_FIRST: { description: 'By when they were recorded.' }, OLDEST_FIRST: { description: 'The other way round.' } },
});

builder.queryField('payments', (t) =>
  t.connection(
    {
      type: Payment,
      description: 'Payments, a page at a time. Cursors stay good while payments come and change.',
      authScopes: { permission: 'payment:read' },
      args: {
        filter: t.arg({ type: PaymentFilter, required: true, description: 'Which payments.' }),
        order: t.arg({ type: PaymentOrder, required: true, defaultValue: 'NEWEST_FIRST', description: 'In what order.' }),
      },
      complexity: pageCost,
      resolve: async (_root, { filter, order, ...args }, context, info) => {
        const { reports, configuration, database } = context.switchyard.resources;
        const merchantIds = requestedMerchants(context.viewer, 'payment:read', filter);
        const isAllMerchants = merchantIds.length === configuration.merchants().length;
        const list = await paymentList(database, toPaymentFilter(filter, merchantIds), isAllMerchants);
        const { select } = queryFromInfo({ context, info, path: ['edges', 'node'], select: LISTED_PAYMENT });
        return readPage(context, { ...list, newestFirst: order === 'NEWEST_FIRST' }, args, (rows) =>
          reports.prisma.payment.findMany({ select, ...rows }),
        );
      },
    },
    { name: 'PaymentConnection', description: 'A page of payments.' },
    { name: 'PaymentEdge', description: 'A payment in its place.' },
  ),
);

function toPaymentFilter(filter: typeof PaymentFilter.$inferInput, merchantIds: readonly string[]): ListedPayments {
  return {
    ...ANY_PAYMENT,
    merchantIds,
    mode: filter.mode,
    statuses: filter.statuses ?? [],
    gateways: filter.gateways ?? [],
    accountIds: texts(filter.accountIds),
    methods: filter.methods ?? [],
    ruleIds: texts(filter.ruleIds),
    amountFrom: filter.amountFrom ?? null,
    amountTo: filter.amountTo ?? null,
    createdFrom: filter.createdFrom ?? null,
    createdTo: filter.createdTo ?? null,
    late: filter.late ?? null,
    underReview: filter.underReview ?? null,
  };
}

function texts(ids: readonly (string | number)[] | null | undefined): string[] {
  return (ids ?? []).map(String);
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
    description: 'One payment, by its id or by its order; null when there is none, or you do not reach it.',
    authScopes: { permission: 'payment:read' },
    args: {
      id: t.arg.id({ description: 'Id of the payment.' }),
      order: t.arg({ type: OrderOf, description: "The merchant's own order reference." }),
    },
    resolve: async (query, _root, { id, order }, { switchyard, viewer }) => {
      const reached = viewer.merchantsFor('payment:read');
      const { prisma } = switchyard.resources.reports;
      const mode = { in: [...viewer.modes] };
      if (order !== null && order !== undefined) {
        const merchantId = String(order.merchantId);
        if (!reached.includes(merchantId) || !viewer.modes.includes(order.mode)) return null;
        const { merchantOrderId } = order;
        return prisma.payment.findFirst({ ...query, where: { merchantId, mode: order.mode, merchantOrderId } });
      }
      if (id === null || id === undefined || !isUuid(String(id))) return null;
      return prisma.payment.findFirst({ ...query, where: { merchantId: { in: [...reached] }, id: String(id), mode } });
    },
  }),
);

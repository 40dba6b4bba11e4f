import { queryFromInfo } from '@pothos/plugin-prisma';
import { type ResolveCursorConnectionArgs, resolveCursorConnection } from '@pothos/plugin-relay';
import { isUuid } from '@switchyard/db';
import { LISTED_PAYMENT, type PaymentKeysFilter, readListedPayments } from '@switchyard/reporting';
import { builder } from '../builder.ts';
import { fromCursor, toCursor } from '../cursors.ts';
import { checkedPage, merchantOrderId, names, pageCost, ruleIds, uuids } from '../inputs.ts';
import { requestedMerchants } from '../requested-merchants.ts';
import { Mode, PaymentStatus } from '../types/enums.ts';
import { Payment } from '../types/payment.ts';

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
      resolve: (_root, { filter, order, ...args }, context, info) => {
        const { switchyard, viewer, signal } = context;
        const { reports } = switchyard.resources;
        const merchantIds = requestedMerchants(viewer, 'payment:read', filter);
        const everyMerchant = merchantIds.length === switchyard.resources.configuration.merchants().length;
        const wanted = { ...toKeysFilter(filter, merchantIds), everyMerchant };
        return resolveCursorConnection(
          { ...checkedPage(args), toCursor: (payment) => toCursor(payment) },
          async ({ before, after, limit, inverted }: ResolveCursorConnectionArgs) => {
            const newestFirst = (order === 'NEWEST_FIRST') !== inverted;
            const [onward, back] = inverted ? [before, after] : [after, before];
            const place = {
              after: onward === undefined ? null : fromCursor(onward),
              before: back === undefined ? null : fromCursor(back),
            };
            const page = { ...place, newestFirst, limit };
            const listed = await reports.read((client) => readListedPayments(client, wanted, page), { signal, single: true });
            const { select } = queryFromInfo({ context, info, path: ['edges', 'node'], select: LISTED_PAYMENT });
            if (Object.keys(select).every((name) => Object.hasOwn(LISTED_PAYMENT, name))) return listed;
            const found = await reports.prisma.payment.findMany({
              select,
              where: { merchantId: { in: listed.map(({ merchantId }) => merchantId) }, id: { in: listed.map(({ id }) => id) } },
            });
            const byId = new Map(found.map((payment) => [payment.id, payment]));
            return listed.flatMap(({ id }) => byId.get(id) ?? []);
          },
        );
      },
    },
    { name: 'PaymentConnection', description: 'A page of payments.' },
    { name: 'PaymentEdge', description: 'A payment in its place.' },
  ),
);

function toKeysFilter(filter: typeof PaymentFilter.$inferInput, merchantIds: readonly string[]): PaymentKeysFilter {
  const ids = (given: readonly (string | number)[] | null | undefined) => (given ?? []).map(String);
  return {
    merchantIds,
    mode: filter.mode,
    statuses: filter.statuses ?? [],
    gateways: filter.gateways ?? [],
    accountIds: ids(filter.accountIds),
    methods: filter.methods ?? [],
    ruleIds: ids(filter.ruleIds),
    amountFrom: filter.amountFrom ?? null,
    amountTo: filter.amountTo ?? null,
    createdFrom: filter.createdFrom ?? null,
    createdTo: filter.createdTo ?? null,
    late: filter.late ?? null,
    underReview: filter.underReview ?? null,
  };
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

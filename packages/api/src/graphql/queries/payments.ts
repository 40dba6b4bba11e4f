import { queryFromInfo } from '@pothos/plugin-prisma';
import { isUuid } from '@switchyard/db';
import { LISTED_OUTCOMES, paymentList, paymentNoun } from '@switchyard/payments/lists';
import { builder } from '../builder.ts';
import { badUserInput, currencyCode, merchantOrderId, pageCost, toId } from '../inputs.ts';
import { nounFilter } from '../nouns.ts';
import { Mode, nameWords } from '../types/enums.ts';
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

nameWords(LISTED_OUTCOMES, IncidentOutcomeFilter);

/** Searches look up first, and periods are of moments here. */
const paymentFilter = nounFilter(
  'PaymentFilter',
  'Filter of payments. An omitted field or an empty list matches all.',
  paymentNoun,
  { without: ['openedAt', 'customer', 'search', 'zone', 'date', 'from', 'to'] },
);

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
        filter: t.arg({ type: paymentFilter.type, required: true, description: 'Filter.' }),
        order: t.arg({ type: PaymentOrder, required: true, defaultValue: 'NEWEST_FIRST', description: 'Sort order.' }),
      },
      complexity: pageCost,
      resolve: async (_root, { filter, order, ...args }, context, info) => {
        const { configuration, database } = context.switchyard.resources;
        const wanted = paymentFilter.read(context, filter);
        // A list of nothing would look like no payments.
        const { error } = currencyCode.nullable().safeParse(wanted.currency);
        if (error !== undefined) throw badUserInput(error.issues.map(({ message }) => message).join('; '));
        const isAllMerchants = wanted.merchantIds.length === configuration.merchants().length;
        const list = await paymentList(database, wanted, isAllMerchants);
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

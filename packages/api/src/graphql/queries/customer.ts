import type { Mode as ModeName } from '@switchyard/db/client';
import {
  CUSTOMER_PAYMENTS_MAX,
  type CustomerSummary,
  type CustomerTotal,
  summariseCustomer,
} from '@switchyard/payments/console/customers';
import { builder } from '../builder.ts';
import { badUserInput, requestedMerchants, uuid, words } from '../inputs.ts';
import { Merchant } from '../types/account.ts';
import { Dispute } from '../types/dispute.ts';
import { Mode } from '../types/enums.ts';
import { Payment } from '../types/payment.ts';
import { Refund } from '../types/payment-parts.ts';

const PARTS_MAX = 100;
/** The assumed average length of a list of a customer, for cost. */
const PARTS_COST = { complexity: { field: 1, multiplier: 4 } };

/** A customer of a merchant, in one mode. */
interface CustomerOfMerchant extends CustomerSummary {
  readonly merchantId: string;
  readonly mode: ModeName;
}

const Total = builder.objectRef<CustomerTotal>('CustomerTotal').implement({
  description: "A customer's payments in one currency.",
  fields: (t) => ({
    currency: t.exposeString('currency', { description: 'ISO 4217.' }),
    payments: t.exposeInt('payments', { description: 'The number of payments.' }),
    paid: t.exposeInt('paid', { description: 'Those that were paid, whether or not the money was returned later.' }),
    failed: t.exposeInt('failed', { description: 'Those that failed.' }),
    paidAmount: t.expose('paidAmount', { type: 'Amount', description: 'The amount of the paid ones.' }),
    refunded: t.expose('refundedAmount', { type: 'Amount', description: 'The amount refunded of it.' }),
    reversed: t.expose('reversedAmount', { type: 'Decimal', description: 'What gateways took back of it, apart from refunds.' }),
  }),
});

const History = builder.objectRef<CustomerOfMerchant>('CustomerHistory').implement({
  description: `A customer of a merchant with the newest ${CUSTOMER_PAYMENTS_MAX} of their payments; of each list below the newest ${PARTS_MAX}.`,
  authScopes: ({ merchantId, mode }) => ({ owner: { merchantId, mode, permission: 'payment:read' } }),
  fields: (t) => ({
    merchant: t.field({
      type: Merchant,
      nullable: true,
      description: 'The merchant.',
      resolve: ({ merchantId }, _args, { switchyard }) =>
        switchyard.resources.configuration.merchant(merchantId)?.merchant ?? null,
    }),
    emails: t.stringList({ description: 'E-mail addresses on the payments.', resolve: (of) => [...of.identifiers.emails] }),
    phones: t.stringList({ description: 'Phone numbers on the payments.', resolve: (of) => [...of.identifiers.phones] }),
    ids: t.stringList({
      description: "The merchant's own ids on the payments.",
      resolve: (of) => [...of.identifiers.customerIds],
    }),
    firstSeenAt: t.expose('firstSeenAt', { type: 'DateTime', description: 'When the first payment was created.' }),
    lastSeenAt: t.expose('lastSeenAt', { type: 'DateTime', description: 'When the last payment was created.' }),
    hasOlder: t.exposeBoolean('isCut', { description: 'True if there are older payments, which are not counted.' }),
    totals: t.field({ type: [Total], description: 'By currency, the most frequent first.', resolve: (of) => [...of.totals] }),
    payments: t.prismaField({
      type: [Payment],
      description: 'Payments, newest first.',
      ...PARTS_COST,
      resolve: (query, { merchantId, paymentIds }, _args, { reports }) =>
        reports.prisma.payment.findMany({
          ...query,
          where: { merchantId, id: { in: paymentIds.slice(0, PARTS_MAX) } },
          orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        }),
    }),
    refunds: t.prismaField({
      type: [Refund],
      description: 'Refunds of the payments, newest first.',
      ...PARTS_COST,
      resolve: (query, { merchantId, paymentIds }, _args, { reports }) =>
        reports.prisma.refund.findMany({
          ...query,
          where: { merchantId, paymentId: { in: [...paymentIds] } },
          orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
          take: PARTS_MAX,
        }),
    }),
    disputes: t.prismaField({
      type: [Dispute],
      description: 'Disputes of the payments, newest first.',
      ...PARTS_COST,
      resolve: (query, { merchantId, paymentIds }, _args, { reports }) =>
        reports.prisma.dispute.findMany({
          ...query,
          where: { merchantId, paymentId: { in: [...paymentIds] } },
          orderBy: [{ openedAt: 'desc' }, { id: 'desc' }],
          take: PARTS_MAX,
        }),
    }),
  }),
});

builder.queryField('customer', (t) =>
  t.field({
    type: History,
    nullable: true,
    description:
      "A customer by any of e-mail address, phone number and the merchant's own id; null without payments, and once they were erased.",
    authScopes: { permission: 'payment:read' },
    args: {
      merchantId: t.arg.id({ required: true, description: 'The merchant.', validate: uuid }),
      mode: t.arg({ type: Mode, required: true, description: 'Test or live.' }),
      email: t.arg.string({ description: 'E-mail address, in any case.', validate: words.nullish() }),
      phone: t.arg.string({ description: 'Phone number, in any spelling.', validate: words.nullish() }),
      id: t.arg.string({ description: "The merchant's own id of the customer.", validate: words.nullish() }),
    },
    complexity: 5,
    resolve: async (_root, { mode, email, phone, id, ...args }, { viewer, reports }) => {
      const [merchantId = ''] = requestedMerchants(viewer, 'payment:read', { merchantIds: [args.merchantId], mode });
      const given = { email: email?.trim() || null, phone: phone?.trim() || null, customerId: id?.trim() || null };
      if (Object.values(given).every((one) => one === null)) throw badUserInput('email, phone or id must be given');
      const found = await summariseCustomer(reports, { merchantId, mode, ...given });
      return found === null ? null : { ...found, merchantId, mode };
    },
  }),
);

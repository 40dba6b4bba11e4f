import {
  bandAt,
  type FeeFilter,
  type FeeMonth,
  type FeeRate,
  type FeeSums,
  feeNoun,
  readFeeMonths,
  readFeeRates,
  readFeeSums,
} from '@switchyard/settlements/fees';
import { builder } from '../builder.ts';
import { nounFilter } from '../nouns.ts';
import { Account, accountOf } from '../types/account.ts';

const Sums = builder.objectRef<FeeSums>('FeeSums').implement({
  description: 'Fees of one currency, by contract and as charged. Amounts are exact decimals of the main unit.',
  fields: (t) => ({
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    payments: t.exposeInt('payments', { description: 'The number of paid payments.' }),
    amount: t.expose('amount', { type: 'Decimal', description: 'The amount received with them.' }),
    compared: t.exposeInt('compared', { description: 'Payments with a contract and a known fee.' }),
    expected: t.expose('expected', { type: 'Decimal', description: 'Their fees by contract.' }),
    charged: t.expose('charged', { type: 'Decimal', description: 'Their fees as settled, else as reported.' }),
    difference: t.expose('difference', { type: 'Decimal', description: 'Charged less expected.' }),
    overcharged: t.exposeInt('overcharged', { description: 'Payments that were charged more, beyond the tolerance.' }),
    overcharge: t.expose('overcharge', { type: 'Decimal', description: 'How much more.' }),
    undercharged: t.exposeInt('undercharged', { description: 'Payments that were charged less, beyond the tolerance.' }),
    undercharge: t.expose('undercharge', { type: 'Decimal', description: 'How much less.' }),
  }),
});

const Month = builder.objectRef<FeeMonth>('FeeMonth').implement({
  description: 'Fees of an account and month.',
  fields: (t) => ({
    month: t.exposeString('month', {
      nullable: true,
      description: "YYYY-MM of the filter's date, in Africa/Lagos; null of payments that are not settled, by settled day.",
    }),
    account: t.field({
      type: Account,
      description: 'The gateway account.',
      resolve: ({ accountId, gateway }, _args, { switchyard }) => accountOf(switchyard, accountId, gateway),
    }),
    sums: t.field({ type: Sums, description: 'Its fees.', resolve: (month) => month }),
  }),
});

const Rate = builder.objectRef<FeeRate>('FeeRate').implement({
  description: 'What an account charged for payments of one method and a band of amounts.',
  fields: (t) => ({
    account: t.field({
      type: Account,
      description: 'The gateway account.',
      resolve: ({ accountId, gateway }, _args, { switchyard }) => accountOf(switchyard, accountId, gateway),
    }),
    method: t.exposeString('method', { nullable: true, description: 'How they were paid; null where it is not known.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    amountFrom: t.int({ description: 'The smallest amount of the band.', resolve: ({ band }) => bandAt(band).from }),
    amountTo: t.int({ nullable: true, description: 'The largest; null for any.', resolve: ({ band }) => bandAt(band).to }),
    payments: t.exposeInt('payments', { description: 'Payments whose fee is known.' }),
    amount: t.expose('amount', { type: 'Decimal', description: 'The amount received with them.' }),
    charged: t.expose('charged', { type: 'Decimal', description: 'Their fees.' }),
    rate: t.expose('rate', { type: 'Decimal', description: 'Fees by amount, with six decimals.' }),
    contractRate: t.expose('contractRate', {
      type: 'Decimal',
      nullable: true,
      description: 'The same by contract; null without one.',
    }),
  }),
});

const Report = builder.objectRef<FeeFilter>('FeeReport').implement({
  description: 'Fees by contract and as charged.',
  fields: (t) => ({
    sums: t.field({
      type: [Sums],
      description: 'By currency.',
      resolve: (filter, _args, { reports }) => readFeeSums(reports, filter),
    }),
    months: t.field({
      type: [Month],
      description: 'By month, account and currency.',
      resolve: (filter, _args, { reports }) => readFeeMonths(reports, filter),
    }),
    rates: t.field({
      type: [Rate],
      description: 'Effective rates by account, method and band of amounts.',
      resolve: (filter, _args, { reports }) => readFeeRates(reports, filter),
    }),
  }),
});

const feeFilter = nounFilter('FeeFilter', 'Filter of fees. An omitted field matches all.', feeNoun);

builder.queryField('fees', (t) =>
  t.field({
    type: Report,
    description: 'Fees of paid payments, by the contracts of their gateway accounts and as charged.',
    authScopes: { permission: feeNoun.permission },
    complexity: { field: 100 },
    args: { filter: t.arg({ type: feeFilter.type, required: true, description: 'Filter.' }) },
    resolve: (_root, { filter }, context): FeeFilter => feeFilter.read(context, filter),
  }),
);

import { type JournalSummary, summariseJournal } from '@switchyard/accounting/journal-summary';
import {
  type AccountBalance,
  type Adjustment,
  type AdjustmentSum,
  type Adjustments,
  type Balance,
  type LateJournalSummary,
  type Month,
  type OpenItem,
  type OpenItems,
  readMonth,
  type Unexplained,
} from '@switchyard/accounting/month';
import { z } from 'zod';
import { builder } from '../builder.ts';
import { day, daysOf, requestedMerchants, toId, uuid } from '../inputs.ts';
import { Account, accountOf, Merchant } from '../types/account.ts';
import { Mode } from '../types/enums.ts';

interface NamedFigure {
  readonly kind: string;
  readonly count: number;
  readonly amount: string;
}

const Figure = builder.objectRef<NamedFigure>('MonthFigure').implement({
  description: 'Amounts of one kind added up.',
  fields: (t) => ({
    kind: t.exposeString('kind', {
      description: 'payment, duplicate, fee, stamp_duty, refund, dispute, reversal, adjustment or payout.',
    }),
    count: t.exposeInt('count', { description: 'The number of amounts.' }),
    amount: t.expose('amount', { type: 'Decimal', description: 'Their sum, with the sign that it has in the balance.' }),
  }),
});

function namedFigures({ figures }: Balance): NamedFigure[] {
  return Object.entries(figures).map(([kind, figure]) => ({ kind, ...figure }));
}

const MonthBalance = builder.objectRef<Balance>('MonthBalance').implement({
  description: 'What was held when a month began and ended, and what changed it. Amounts are exact decimals of the main unit.',
  fields: (t) => ({
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    opening: t.expose('opening', { type: 'Decimal', description: 'Held when the month began.' }),
    previousClosing: t.expose('previousClosing', {
      type: 'Decimal',
      nullable: true,
      description: 'Held at the end of the month before as that was frozen; null where it was not.',
    }),
    figures: t.field({ type: [Figure], description: 'What changed it, by kind.', resolve: namedFigures }),
    closing: t.expose('closing', { type: 'Decimal', description: 'Held at its end.' }),
    bank: t.field({ type: 'Decimal', description: 'What reached the bank in the month.', resolve: ({ bank }) => bank.amount }),
  }),
});

const MonthAccount = builder.objectRef<AccountBalance>('MonthAccount').implement({
  description: 'The balance of a gateway account.',
  fields: (t) => ({
    account: t.field({
      type: Account,
      description: 'The gateway account.',
      resolve: ({ accountId, gateway }, _args, { switchyard }) => accountOf(switchyard, accountId, gateway),
    }),
    balance: t.field({ type: MonthBalance, description: 'Its balance in one currency.', resolve: (account) => account }),
  }),
});

const Open = builder.objectRef<OpenItem>('MonthOpenItem').implement({
  description: 'Something that a month leaves unexplained.',
  fields: (t) => ({
    subject: t.exposeString('subject', {
      description: 'What it is: line/…, payout/…, payment/…, or the subject of a discrepancy.',
    }),
    account: t.field({
      type: Account,
      description: 'The gateway account.',
      resolve: ({ accountId }, _args, { switchyard }) => {
        return accountOf(switchyard, accountId, switchyard.resources.configuration.account(accountId)?.account.gateway ?? '');
      },
    }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    amount: t.expose('amount', { type: 'Decimal', description: 'The amount that is open.' }),
    day: t.exposeString('day', { description: 'YYYY-MM-DD.' }),
    paymentId: t.exposeString('paymentId', { nullable: true, description: 'The payment that it is about.' }),
    settlementId: t.exposeString('settlementId', { nullable: true, description: 'The payout that it is about.' }),
  }),
});

const Group = builder.objectRef<OpenItems & { readonly kind: string }>('MonthOpenItems').implement({
  description: 'What a month leaves unexplained, of one sort.',
  fields: (t) => ({
    kind: t.exposeString('kind', { description: 'discrepancies, unmatchedLines, payoutsNotAtBank or unsettledPayments.' }),
    count: t.exposeInt('count', { description: 'How many.' }),
    items: t.field({ type: [Open], description: 'The 200 largest.', resolve: ({ items }) => items }),
  }),
});

const SORTS = [
  'discrepancies',
  'unmatchedLines',
  'payoutsNotAtBank',
  'unsettledPayments',
] as const satisfies (keyof Unexplained)[];

const AdjustmentType = builder.objectRef<Adjustment>('MonthAdjustment').implement({
  description: 'An amount of a closed month that is not what it was when the month was closed.',
  fields: (t) => ({
    kind: t.exposeString('kind', {
      description:
        'The kind of the amount, as of figures; bank for what reached the bank, bank_difference for what it had more or less.',
    }),
    subject: t.exposeString('subject', { description: 'Names the amount within its kind.' }),
    account: t.field({
      type: Account,
      description: 'The gateway account.',
      resolve: ({ accountId }, _args, { switchyard }) => {
        return accountOf(switchyard, accountId, switchyard.resources.configuration.account(accountId)?.account.gateway ?? '');
      },
    }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    day: t.exposeString('day', { description: 'YYYY-MM-DD.' }),
    frozen: t.expose('frozen', {
      type: 'Decimal',
      nullable: true,
      description: 'As it was frozen; null where it was not known.',
    }),
    today: t.expose('today', {
      type: 'Decimal',
      nullable: true,
      description: 'As it is now; null where it is of the month no longer.',
    }),
    difference: t.expose('difference', { type: 'Decimal', description: 'Now less frozen.' }),
    paymentId: t.exposeString('paymentId', { nullable: true, description: 'The payment that it is of.' }),
    settlementId: t.exposeString('settlementId', { nullable: true, description: 'The payout that it is of.' }),
  }),
});

const AdjustmentSums = builder.objectRef<AdjustmentSum>('MonthAdjustmentSum').implement({
  description: 'Adjustments of one account and kind added up.',
  fields: (t) => ({
    kind: t.exposeString('kind', { description: 'The kind of the amounts.' }),
    accountId: t.exposeID('accountId', { description: 'Id of the gateway account.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    count: t.exposeInt('count', { description: 'How many.' }),
    difference: t.expose('difference', { type: 'Decimal', description: 'Their sum.' }),
  }),
});

const MonthAdjustments = builder.objectRef<Adjustments>('MonthAdjustments').implement({
  description: 'What has changed of a closed month since.',
  fields: (t) => ({
    sums: t.field({ type: [AdjustmentSums], description: 'Of all of them.', resolve: ({ sums }) => sums }),
    items: t.field({ type: [AdjustmentType], description: 'The 500 largest.', resolve: ({ items }) => items }),
  }),
});

const Late = builder.objectRef<LateJournalSummary>('LateJournal').implement({
  description: 'A journal of what arrived after a month was closed. It never changes.',
  fields: (t) => ({
    id: t.exposeID('journalId', { description: 'Id of the journal.' }),
    number: t.exposeInt('number', { description: 'From 1, in the order in which they were made.' }),
    postedOn: t.exposeString('postedOn', { description: 'The day that it is posted on: YYYY-MM-DD.' }),
    madeAt: t.expose('madeAt', { type: 'DateTime', description: 'When it was made.' }),
    madeBy: t.exposeString('madeByName', { nullable: true, description: 'Who made it.' }),
    journals: t.field({
      type: [Journal],
      description: 'What it posts, by currency.',
      resolve: ({ summaries }) => [...summaries],
    }),
  }),
});

const State = builder.enumType('MonthState', {
  description: 'How far a month is.',
  values: {
    OPEN: { value: 'open', description: 'It has not ended.' },
    ENDED: { value: 'ended', description: 'It has ended and is not closed.' },
    CLOSED: { value: 'closed', description: 'Its figures are frozen.' },
    SIGNED: { value: 'signed', description: 'It is signed off.' },
  } as const,
});

const MonthClose = builder.objectRef<Month>('MonthClose').implement({
  description: "A month of a merchant's books: frozen where it is closed, else as it is now.",
  fields: (t) => ({
    merchant: t.field({
      type: Merchant,
      nullable: true,
      description: 'The merchant.',
      resolve: ({ merchantId }, _args, { switchyard }) =>
        switchyard.resources.configuration.merchant(merchantId)?.merchant ?? null,
    }),
    month: t.exposeString('month', { description: 'YYYY-MM, by the time zone.' }),
    state: t.field({ type: State, description: 'How far it is.', resolve: ({ state }) => state }),
    timeZone: t.exposeString('timeZone', { description: 'IANA time zone whose days are meant.' }),
    from: t.expose('from', { type: 'DateTime', description: 'Its first moment.' }),
    until: t.expose('until', { type: 'DateTime', description: 'The first moment after it.' }),
    closedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was closed; null until then.',
      resolve: ({ close }) => close?.closed.at ?? null,
    }),
    hash: t.string({
      nullable: true,
      description: 'SHA-256 of the frozen document; null until it is closed.',
      resolve: ({ close }) => close?.hash ?? null,
    }),
    signedBy: t.string({
      nullable: true,
      description: 'Who signed it off; null until then.',
      resolve: ({ close }) => close?.signed?.name ?? null,
    }),
    signedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was signed off; null until then.',
      resolve: ({ close }) => close?.signed?.at ?? null,
    }),
    accounts: t.field({
      type: [MonthAccount],
      description: 'The balance of each gateway account and currency.',
      resolve: ({ figures }) => figures.accounts,
    }),
    totals: t.field({
      type: [MonthBalance],
      description: 'The balances of all accounts together, by currency.',
      resolve: ({ figures }) => figures.totals,
    }),
    unexplained: t.field({
      type: [Group],
      description: 'What it leaves unexplained.',
      resolve: ({ figures }) => SORTS.map((kind) => ({ kind, ...figures.unexplained[kind] })),
    }),
    adjustments: t.field({
      type: MonthAdjustments,
      nullable: true,
      description: 'What has changed since it was closed; null until then.',
      resolve: ({ close }) => close?.adjustments ?? null,
    }),
    late: t.field({
      type: [Journal],
      description: 'What has changed since and is in no journal of late arrivals yet, as one would post it, by currency.',
      resolve: ({ close }) => [...(close?.late ?? [])],
    }),
    lateJournals: t.field({
      type: [Late],
      description: 'The journals of late arrivals that were made, the first first; 200 at most.',
      resolve: ({ close }) => [...(close?.lateJournals ?? [])],
    }),
  }),
});

const month = z.string().regex(/^20\d{2}-(0[1-9]|1[0-2])$/, 'must be a month such as 2026-10');

const Filter = builder.inputType('MonthCloseFilter', {
  description: 'A month of a merchant.',
  fields: (t) => ({
    mode: t.field({ type: Mode, required: true, description: 'Test or live.' }),
    merchantId: t.id({ required: true, description: 'The merchant.', validate: uuid }),
    month: t.string({ required: true, description: 'YYYY-MM.', validate: month }),
  }),
});

builder.queryField('monthClose', (t) =>
  t.field({
    type: MonthClose,
    nullable: true,
    description: "A month of a merchant's books.",
    authScopes: { permission: 'report:read' },
    complexity: { field: 200 },
    args: { filter: t.arg({ type: Filter, required: true, description: 'Which month.' }) },
    resolve: (_root, { filter }, { switchyard, viewer }) => {
      const [merchantId = ''] = requestedMerchants(viewer, 'report:read', {
        mode: filter.mode,
        merchantIds: [toId(filter.merchantId)],
      });
      const { configuration, database, reports } = switchyard.resources;
      const reader = { configuration, database: reports, staff: database, now: switchyard.now };
      return readMonth(reader, { merchantId, mode: filter.mode, month: filter.month });
    },
  }),
);

const PERMISSION = 'report:read';

const Posted = builder.objectRef<JournalSummary['accounts'][number]>('JournalAccount').implement({
  description: 'Sums of one account of the books. Amounts are exact decimals of the main unit.',
  fields: (t) => ({
    posting: t.string({
      description: 'sales, refunds, fees, stamp_duty, chargebacks, adjustments, bank, or clearing of a gateway account.',
      resolve: ({ to }) => to.posting,
    }),
    account: t.field({
      type: Account,
      nullable: true,
      description: 'The gateway account of a clearing account; null for the others.',
      resolve: ({ to }, _args, { switchyard }) => {
        if (to.posting !== 'clearing') return null;
        const { configuration } = switchyard.resources;
        return accountOf(switchyard, to.accountId, configuration.account(to.accountId)?.account.gateway ?? '');
      },
    }),
    debit: t.expose('debit', { type: 'Decimal', description: 'Its debits.' }),
    credit: t.expose('credit', { type: 'Decimal', description: 'Its credits.' }),
  }),
});

/** The double entries of a period, or of what arrived late. */
const Journal = builder.objectRef<JournalSummary>('Journal').implement({
  description: 'Double entries in one currency: one for each day and gateway account.',
  fields: (t) => ({
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    entries: t.exposeInt('entries', { description: 'The number of entries.' }),
    debit: t.expose('debit', { type: 'Decimal', description: 'All debits.' }),
    credit: t.expose('credit', { type: 'Decimal', description: 'All credits: the same.' }),
    accounts: t.field({ type: [Posted], description: 'By account of the books.', resolve: ({ accounts }) => [...accounts] }),
  }),
});

const JournalFilter = builder.inputType('JournalFilter', {
  description: "Days of a merchant's books, in the time zone that they are kept in.",
  fields: (t) => ({
    mode: t.field({ type: Mode, required: true, description: 'Test or live.' }),
    merchantId: t.id({ required: true, description: 'The merchant.', validate: uuid }),
    from: t.string({ required: true, description: 'First day, YYYY-MM-DD.', validate: day }),
    to: t.string({ required: true, description: 'Last day, at most 397 days later.', validate: day }),
  }),
});

builder.queryField('journal', (t) =>
  t.field({
    type: [Journal],
    description:
      'What a period posts to the books of a merchant, by currency. Closed months are posted as they were frozen: what arrived later is in `lateJournals` of `monthClose`.',
    authScopes: { permission: PERMISSION },
    complexity: { field: 100, multiplier: 10 },
    args: { filter: t.arg({ type: JournalFilter, required: true, description: 'Which days of which books.' }) },
    resolve: async (_root, { filter }, { reports, viewer }) => {
      const { mode } = filter;
      const [merchantId = ''] = requestedMerchants(viewer, PERMISSION, { mode, merchantIds: [toId(filter.merchantId)] });
      return [...(await summariseJournal(reports, { merchantId, mode }, daysOf(filter)))];
    },
  }),
);

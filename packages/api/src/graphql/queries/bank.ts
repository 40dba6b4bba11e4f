import { dayText } from '@switchyard/runtime/calendar-days';
import {
  type AccountCoverage,
  type ArrivalDay,
  type ArrivalSums,
  type BankOverview,
  type BankPayoutItem,
  type OpenBankLine,
  readBank,
  sumArrivals,
} from '@switchyard/settlements/bank-figures';
import { type BankLineSum, bankLineList, bankStatementList, sumBankLines } from '@switchyard/settlements/lists';
import { builder, type GraphqlContext } from '../builder.ts';
import { day, daysOf, idOf, names, pageCost, requestedMerchants, toId, uuid, uuids } from '../inputs.ts';
import { Account, accountOf } from '../types/account.ts';
import { Mode } from '../types/enums.ts';
import { filterOf, readPage, scopeFields } from './read-page.ts';

const PERMISSION = 'report:read';
/** Payouts and credits that one answer lists; the sums are of all. */
const LISTED_MAX = 1_000;

const ArrivalState = builder.enumType('ArrivalState', {
  description: 'How the bank has a payout.',
  values: {
    ARRIVED: { value: 'arrived', description: 'Its amount came, within the tolerance of the account.' },
    SHORT: {
      value: 'short',
      description: 'Less came, and statements go on from it past the days that a bank takes, without a gap.',
    },
    OVER: { value: 'over', description: 'More came.' },
    ON_THE_WAY: { value: 'on_the_way', description: 'It or the rest of it may still come.' },
    MISSING: {
      value: 'missing',
      description: 'Statements cover its day and go on past the days that a bank takes, without a gap.',
    },
    NOT_COVERED: {
      value: 'not_covered',
      description: 'It or the rest of it may be on a day, or at a bank, that no statement is of.',
    },
    NOTHING_DUE: { value: 'nothing_due', description: 'Its net amount is 0.' },
  } as const,
});

const Statement = builder.prismaObject('BankStatement', {
  name: 'BankStatement',
  description: "A statement of a merchant's bank that was taken in.",
  select: { merchantId: true, mode: true },
  authScopes: ({ merchantId, mode }) => ({ owner: { merchantId, mode, permission: PERMISSION } }),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the statement.' }),
    name: t.exposeString('name', { description: 'Name of the file.' }),
    hash: t.exposeString('hash', { description: 'SHA-256 of its bytes, hexadecimal.' }),
    format: t.exposeString('format', { description: 'csv, mt940 or camt.053.' }),
    lines: t.exposeInt('lines', { description: 'Lines that became known by it.' }),
    known: t.exposeInt('known', { description: 'Lines that an earlier statement had.' }),
    takenAt: t.expose('takenAt', { type: 'DateTime', description: 'When it was taken in.' }),
    withdrawnAt: t.expose('withdrawnAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When staff withdrew it; null while it counts.',
    }),
  }),
});

const StatementFilter = builder.inputType('BankStatementFilter', {
  description: 'Filter of bank statements by when they were taken in. An omitted field matches all.',
  fields: (t) => ({
    ...scopeFields(t),
    formats: t.stringList({ description: 'csv, mt940 or camt.053.', validate: names }),
  }),
});

builder.queryField('bankStatements', (t) =>
  t.connection(
    {
      type: Statement,
      description: 'Bank statements that were taken in, newest first.',
      authScopes: { permission: PERMISSION },
      args: { filter: t.arg({ type: StatementFilter, required: true, description: 'Filter.' }) },
      complexity: pageCost,
      resolve: (_root, { filter, ...args }, context) => {
        const { prisma } = context.reports;
        const list = bankStatementList({ ...filterOf(context, PERMISSION, filter), formats: filter.formats ?? [] });
        return readPage(context, list, args, async ({ where }, direction) => {
          const rows = await prisma.bankStatement.findMany({ where, orderBy: [{ takenAt: direction }, { id: direction }] });
          return rows.map((row) => ({ ...row, createdAt: row.takenAt }));
        });
      },
    },
    { name: 'BankStatementConnection', description: 'A page of bank statements.' },
    { name: 'BankStatementEdge', description: 'A bank statement and its cursor.' },
  ),
);

const Line = builder.prismaObject('BankLine', {
  name: 'BankLine',
  description: 'An amount on a bank account, as a statement has it.',
  select: { merchantId: true, id: true, mode: true },
  authScopes: ({ merchantId, mode }) => ({ owner: { merchantId, mode, permission: PERMISSION } }),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the line.' }),
    statementId: t.exposeID('statementId', { description: 'The statement that it became known by.' }),
    bankAccount: t.exposeString('bankAccount', { description: 'The account as the bank names it, or as it was entered.' }),
    bookedOn: t.string({
      description: 'Its day: YYYY-MM-DD.',
      select: { bookedOn: true },
      resolve: ({ bookedOn }) => dayText(bookedOn),
    }),
    amount: t.field({
      type: 'Decimal',
      description: 'Negative where it left the account.',
      select: { amount: true },
      resolve: ({ amount }) => amount.toFixed(),
    }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    text: t.exposeString('text', { description: "The bank's text." }),
    settlementIds: t.loadableList({
      type: 'ID',
      description: 'The payouts of which it is the money, or a part of it.',
      complexity: { field: 1, multiplier: 2 },
      load: async (keys: string[], { reports }) => {
        const found = await reports.prisma.bankMatch.findMany({
          where: { OR: keys.map(bankLineOf) },
          orderBy: [{ settlementId: 'asc' }],
        });
        const byLine = Map.groupBy(found, ({ merchantId, bankLineId }) => `${merchantId}/${bankLineId}`);
        return keys.map((key) => (byLine.get(key) ?? []).map(({ settlementId }) => settlementId));
      },
      resolve: ({ merchantId, id }) => `${merchantId}/${id}`,
    }),
  }),
});

function bankLineOf(key: string) {
  const [merchantId = '', bankLineId = ''] = key.split('/');
  return { merchantId, bankLineId };
}

const LineFilter = builder.inputType('BankLineFilter', {
  description: 'Filter of lines of bank statements. An omitted field matches all.',
  fields: (t) => ({
    mode: t.field({ type: Mode, required: true, description: 'Test or live.' }),
    merchantIds: t.idList({ description: 'Merchants; all that the caller may read when omitted.', validate: uuids }),
    from: t.string({ required: true, description: 'First day, YYYY-MM-DD.', validate: day }),
    to: t.string({ required: true, description: 'Last day, at most 397 days later.', validate: day }),
    statementId: t.id({ description: 'The statement that they became known by.', validate: uuid }),
    bankAccounts: t.stringList({ description: 'Accounts as the bank names them.', validate: names }),
    unmatchedOnly: t.boolean({ description: 'Only those that no payout was matched with.' }),
  }),
});

function linesOf({ viewer }: GraphqlContext, filter: typeof LineFilter.$inferInput) {
  return {
    merchantIds: requestedMerchants(viewer, PERMISSION, filter),
    mode: filter.mode,
    ...daysOf(filter),
    statementId: idOf(filter.statementId),
    bankAccounts: filter.bankAccounts ?? [],
    unmatchedOnly: filter.unmatchedOnly ?? false,
  };
}

builder.queryField('bankLines', (t) =>
  t.connection(
    {
      type: Line,
      description: 'Lines of bank statements, newest day first.',
      authScopes: { permission: PERMISSION },
      args: { filter: t.arg({ type: LineFilter, required: true, description: 'Filter.' }) },
      complexity: pageCost,
      resolve: (_root, { filter, ...args }, context) => {
        const { prisma } = context.reports;
        return readPage(context, bankLineList(linesOf(context, filter)), args, async ({ where }, direction) => {
          const rows = await prisma.bankLine.findMany({ where, orderBy: [{ bookedOn: direction }, { id: direction }] });
          return rows.map((row) => ({ ...row, createdAt: row.bookedOn }));
        });
      },
    },
    { name: 'BankLineConnection', description: 'A page of lines of bank statements.' },
    { name: 'BankLineEdge', description: 'A line of a bank statement and its cursor.' },
  ),
);

const LineSums = builder.objectRef<BankLineSum>('BankLineSums').implement({
  description:
    "Lines of one merchant's bank account and currency together. Amounts are exact decimals of the main unit, without signs.",
  authScopes: ({ merchantId }) => ({ owner: { merchantId, mode: null, permission: PERMISSION } }),
  fields: (t) => ({
    merchantId: t.exposeID('merchantId', { description: 'Id of the merchant: two may name their accounts alike.' }),
    bankAccount: t.exposeString('bankAccount', { description: 'The account as the bank names it, or as it was entered.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    count: t.exposeInt('count', { description: 'The number of lines.' }),
    credits: t.expose('credits', { type: 'Decimal', description: 'Paid in.' }),
    debits: t.expose('debits', { type: 'Decimal', description: 'Paid out.' }),
    matched: t.expose('matched', {
      type: 'Decimal',
      description: 'Of what was paid in: credits that payouts were matched with.',
    }),
  }),
});

builder.queryField('bankLineSums', (t) =>
  t.field({
    type: [LineSums],
    description: 'Lines of bank statements, counted and added up by merchant, bank account and currency.',
    authScopes: { permission: PERMISSION },
    args: { filter: t.arg({ type: LineFilter, required: true, description: 'Filter.' }) },
    complexity: { field: 50, multiplier: 10 },
    resolve: (_root, { filter }, context) => sumBankLines(context.reports, linesOf(context, filter), context.signal),
  }),
);

const Payout = builder.objectRef<BankPayoutItem>('BankPayout').implement({
  description: 'A payout with what reached the bank of it.',
  authScopes: ({ merchantId }) => ({ owner: { merchantId, mode: null, permission: PERMISSION } }),
  fields: (t) => ({
    settlementId: t.exposeID('settlementId', { description: 'Id of the settlement.' }),
    account: t.field({
      type: Account,
      description: 'The gateway account that was paid out.',
      resolve: ({ accountId, gateway }, _args, { switchyard }) => accountOf(switchyard, accountId, gateway),
    }),
    reference: t.exposeString('reference', { description: "The gateway's own id or reference." }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code of its amounts.' }),
    net: t.expose('net', { type: 'Decimal', description: 'Paid out; negative where the gateway collects it.' }),
    settledOn: t.exposeString('settledOn', { description: 'Day of the payout: YYYY-MM-DD.' }),
    state: t.expose('state', { type: ArrivalState, description: 'How the bank has it.' }),
    arrived: t.expose('arrived', { type: 'Decimal', nullable: true, description: 'What came; null where nothing did.' }),
    arrivedOn: t.exposeString('arrivedOn', { nullable: true, description: 'Day of its last line; null without any.' }),
    expectedOn: t.exposeString('expectedOn', { description: 'The last day on which it is not missing.' }),
  }),
});

const OpenLine = builder.objectRef<OpenBankLine>('BankOpenLine').implement({
  description: 'A line of the bank that names a gateway and is of no payout.',
  authScopes: ({ merchantId }) => ({ owner: { merchantId, mode: null, permission: PERMISSION } }),
  fields: (t) => ({
    bankLineId: t.exposeID('bankLineId', { description: 'Id of the line.' }),
    bankAccount: t.exposeString('bankAccount', { description: 'The account as the bank names it, or as it was entered.' }),
    amount: t.expose('amount', { type: 'Decimal', description: 'Its amount; negative where it left the account.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    bookedOn: t.exposeString('bookedOn', { description: 'Its day: YYYY-MM-DD.' }),
    text: t.exposeString('text', { description: "The bank's text." }),
  }),
});

const Sums = builder.objectRef<ArrivalSums>('BankSums').implement({
  description: 'Payouts of one currency with what reached the bank of them. Amounts are exact decimals of the main unit.',
  fields: (t) => ({
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    payouts: t.exposeInt('payouts', { description: 'The number of payouts.' }),
    paidOut: t.expose('paidOut', { type: 'Decimal', description: 'What gateways paid out.' }),
    arrived: t.expose('arrived', { type: 'Decimal', description: 'What came of it.' }),
    onTheWay: t.expose('onTheWay', { type: 'Decimal', description: 'Of payouts that may still come.' }),
    missing: t.expose('missing', { type: 'Decimal', description: 'Of payouts that should have come.' }),
    notCovered: t.expose('notCovered', { type: 'Decimal', description: 'Of payouts of days that no statement is of.' }),
    difference: t.expose('difference', {
      type: 'Decimal',
      description: 'What came less the payouts that it is of; negative where it is short.',
    }),
  }),
});

const Day = builder.objectRef<ArrivalDay>('BankDay').implement({
  description: 'Payouts of one gateway account, day and currency.',
  fields: (t) => ({
    settledOn: t.exposeString('settledOn', { description: 'Day of the payouts: YYYY-MM-DD.' }),
    account: t.field({
      type: Account,
      description: 'The gateway account.',
      resolve: ({ accountId, gateway }, _args, { switchyard }) => accountOf(switchyard, accountId, gateway),
    }),
    sums: t.field({ type: Sums, description: 'Its payouts.', resolve: (each) => each }),
  }),
});

const Days = builder.objectRef<AccountCoverage['days'][number]>('BankDays').implement({
  description: 'Consecutive days, both ends among them.',
  fields: (t) => ({
    from: t.exposeString('from', { description: 'First day: YYYY-MM-DD.' }),
    to: t.exposeString('to', { description: 'Last day.' }),
  }),
});

const Coverage = builder.objectRef<BankOverview['coverage'][number]>('BankCoverage').implement({
  description: 'The days of a bank account that statements cover. On days between them nothing is missing.',
  authScopes: ({ merchantId }) => ({ owner: { merchantId, mode: null, permission: PERMISSION } }),
  fields: (t) => ({
    bankAccount: t.exposeString('bankAccount', { description: 'The account as the bank names it, or as it was entered.' }),
    days: t.field({ type: [Days], description: 'In their order, with gaps between them.', resolve: ({ days }) => [...days] }),
  }),
});

const Report = builder.objectRef<BankOverview & ReturnType<typeof sumArrivals>>('BankReport').implement({
  description: 'Payouts, and what reached the bank of them.',
  fields: (t) => ({
    sums: t.field({ type: [Sums], description: 'By currency.', resolve: ({ sums }) => sums }),
    days: t.field({ type: [Day], description: 'By day, account and currency, newest first.', resolve: ({ days }) => days }),
    payouts: t.field({
      type: [Payout],
      description: `Each payout, newest first; at most ${LISTED_MAX}.`,
      resolve: ({ payouts }) => payouts.slice(0, LISTED_MAX),
    }),
    unmatched: t.field({
      type: [OpenLine],
      description: `Lines of the period that name a gateway and are of no payout; at most ${LISTED_MAX}.`,
      resolve: ({ unmatched }) => unmatched.slice(0, LISTED_MAX),
    }),
    coverage: t.field({
      type: [Coverage],
      description: 'By bank account; empty without a statement.',
      resolve: ({ coverage }) => [...coverage],
    }),
  }),
});

const Filter = builder.inputType('BankFilter', {
  description: 'Filter of payouts and credits.',
  fields: (t) => ({
    mode: t.field({ type: Mode, required: true, description: 'Test or live.' }),
    merchantIds: t.idList({ description: 'Merchants; all that the caller may read when omitted.', validate: uuids }),
    accountIds: t.idList({ description: 'Gateway accounts of payouts; all when omitted.', validate: uuids }),
    from: t.string({ required: true, description: 'First day, YYYY-MM-DD.', validate: day }),
    to: t.string({ required: true, description: 'Last day, at most 397 days later.', validate: day }),
  }),
});

builder.queryField('bank', (t) =>
  t.field({
    type: Report,
    description: 'Payouts with what reached the bank of each, by account and day, and lines that are of none.',
    authScopes: { permission: PERMISSION },
    args: { filter: t.arg({ type: Filter, required: true, description: 'Filter.' }) },
    complexity: { field: 100 },
    resolve: async (_root, { filter }, { switchyard, reports, viewer }) => {
      const { configuration } = switchyard.resources;
      const merchantIds = requestedMerchants(viewer, PERMISSION, filter);
      const found = await readBank({ configuration, database: reports }, { merchantIds, mode: filter.mode, ...daysOf(filter) });
      const accountIds = new Set((filter.accountIds ?? []).map(toId));
      const payouts = found.payouts.filter(({ accountId }) => accountIds.size === 0 || accountIds.has(accountId));
      return { ...found, payouts, ...sumArrivals(payouts) };
    },
  }),
);

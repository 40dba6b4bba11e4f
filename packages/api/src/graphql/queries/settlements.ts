import { dayText } from '@switchyard/runtime/calendar-days';
import {
  type SettlementLineSum,
  type SettlementSum,
  settlementLineList,
  settlementList,
  sumSettlementLines,
  sumSettlements,
} from '@switchyard/settlements/lists';
import { builder, type GraphqlContext } from '../builder.ts';
import { day, idOf, pageCost, toId, uuid, uuids } from '../inputs.ts';
import { Account, accountOf } from '../types/account.ts';
import { SettlementLineKind, SettlementStatus } from '../types/enums.ts';
import { filterOf, type InputFields, readPage, scopeFields } from './read-page.ts';

/** GraphQL type of a settlement; read with `report:read` only. */
const Settlement = builder.prismaObject('Settlement', {
  name: 'Settlement',
  description: "A payout of a gateway to the merchant's bank. Amounts are exact decimals of the main unit.",
  select: { merchantId: true, mode: true, accountId: true, gateway: true },
  authScopes: ({ merchantId, mode }) => ({ owner: { merchantId, mode, permission: 'report:read' } }),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the settlement.' }),
    account: t.field({
      type: Account,
      description: 'The gateway account that was paid out.',
      resolve: ({ accountId, gateway }, _args, { switchyard }) => accountOf(switchyard, accountId, gateway),
    }),
    reference: t.exposeString('reference', { description: "The gateway's own id or reference." }),
    status: t.expose('status', { type: SettlementStatus, description: 'Its state.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code of its amounts.' }),
    gross: t.field({
      type: 'Decimal',
      description: 'The payments in it, before fees and deductions.',
      select: { gross: true },
      resolve: ({ gross }) => gross.toFixed(),
    }),
    fees: t.field({
      type: 'Decimal',
      description: 'The fees of its payments.',
      select: { fees: true },
      resolve: ({ fees }) => fees.toFixed(),
    }),
    deductions: t.field({
      type: 'Decimal',
      description: 'Taken off beside fees: refunds, chargebacks, stamp duty.',
      select: { deductions: true },
      resolve: ({ deductions }) => deductions.toFixed(),
    }),
    net: t.field({
      type: 'Decimal',
      description: 'Paid out.',
      select: { net: true },
      resolve: ({ net }) => net.toFixed(),
    }),
    settledOn: t.string({
      nullable: true,
      description: 'Day of the payout: YYYY-MM-DD; null until it is known.',
      select: { settledOn: true },
      resolve: ({ settledOn }) => (settledOn === null ? null : dayText(settledOn)),
    }),
    lineCount: t.exposeInt('lineCount', { description: 'The number of its lines.' }),
    explained: t.field({
      type: 'Decimal',
      description: 'Sum of the lines that are matched with a payment, refund or dispute, each without its sign.',
      select: { explained: true },
      resolve: ({ explained }) => explained.toFixed(),
    }),
    unexplained: t.field({
      type: 'Decimal',
      description: 'The same of the other lines, and of what no line accounts for.',
      select: { unexplained: true },
      resolve: ({ unexplained }) => unexplained.toFixed(),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the gateway created it.' }),
  }),
});

/** GraphQL type of a line of a settlement; read with `report:read` only. */
const SettlementLine = builder.prismaObject('SettlementLine', {
  name: 'SettlementLine',
  description: 'An amount in a settlement, as its gateway has it.',
  select: { merchantId: true, id: true, createdAt: true },
  authScopes: ({ merchantId }) => ({ owner: { merchantId, mode: null, permission: 'report:read' } }),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the line.' }),
    settlementId: t.exposeID('settlementId', { description: 'Its settlement.' }),
    position: t.exposeInt('position', { description: 'Its place in the settlement, from 0.' }),
    kind: t.expose('kind', { type: SettlementLineKind, description: 'What it is of.' }),
    amount: t.field({
      type: 'Decimal',
      description: 'Exact decimal of the main unit; negative where it takes off the net amount.',
      select: { amount: true },
      resolve: ({ amount }) => amount.toFixed(),
    }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    reference: t.exposeString('reference', { nullable: true, description: 'Our reference, as the gateway names it.' }),
    transactionId: t.exposeString('transactionId', { nullable: true, description: "The gateway's own id of the transaction." }),
    description: t.exposeString('description', { nullable: true, description: "The gateway's own words for it." }),
    occurredAt: t.expose('occurredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the payment was paid or the refund made, as the gateway reports it.',
    }),
    paymentId: t.exposeID('paymentId', { nullable: true, description: 'The payment that it is matched with.' }),
    refundId: t.exposeID('refundId', { nullable: true, description: 'The refund that it is matched with.' }),
    disputeId: t.exposeID('disputeId', { nullable: true, description: 'The dispute that it is matched with.' }),
    matched: t.boolean({
      description: 'True if it is matched with a payment, refund or dispute.',
      select: { linkedBy: true },
      resolve: ({ linkedBy }) => linkedBy !== null,
    }),
  }),
});

const PERMISSION = 'report:read';

/** Days of the payout, by which settlements and their lines are of a period. */
const paidOutFields = (t: InputFields) => ({
  settledFrom: t.string({ description: 'Paid out on this day or later, YYYY-MM-DD, or not yet.', validate: day }),
  settledTo: t.string({ description: 'Paid out on this day or earlier, YYYY-MM-DD, or not yet.', validate: day }),
});

const Filter = builder.inputType('SettlementsFilter', {
  description: 'Filter of settlements. An omitted field matches all.',
  fields: (t) => ({
    ...scopeFields(t),
    states: t.field({ type: [SettlementStatus], description: 'States.' }),
    accountIds: t.idList({ description: 'Gateway accounts.', validate: uuids }),
    ...paidOutFields(t),
    unexplainedOnly: t.boolean({ description: 'Only those with lines that are not matched, or a residue.' }),
  }),
});

function settlementsOf(context: GraphqlContext, filter: typeof Filter.$inferInput) {
  const { states, ...scope } = filterOf(context, PERMISSION, filter);
  return {
    ...scope,
    statuses: states,
    accountIds: (filter.accountIds ?? []).map(toId),
    from: filter.settledFrom ?? null,
    to: filter.settledTo ?? null,
    unexplainedOnly: filter.unexplainedOnly ?? false,
  };
}

builder.queryField('settlements', (t) =>
  t.connection(
    {
      type: Settlement,
      description: "Payouts of gateways to merchants' banks, newest first.",
      authScopes: { permission: PERMISSION },
      args: { filter: t.arg({ type: Filter, required: true, description: 'Filter.' }) },
      complexity: pageCost,
      resolve: (_root, { filter, ...args }, context) => {
        const { prisma } = context.reports;
        const list = settlementList(settlementsOf(context, filter));
        return readPage(context, list, args, (rows) => prisma.settlement.findMany(rows));
      },
    },
    { name: 'SettlementConnection', description: 'A page of settlements.' },
    { name: 'SettlementEdge', description: 'A settlement and its cursor.' },
  ),
);

const Sums = builder.objectRef<SettlementSum>('SettlementSums').implement({
  description: 'Settlements of one status and currency together. Amounts are exact decimals of the main unit.',
  fields: (t) => ({
    status: t.expose('status', { type: SettlementStatus, description: 'Their state.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code of their amounts.' }),
    count: t.exposeInt('count', { description: 'The number of settlements.' }),
    gross: t.expose('gross', { type: 'Decimal', description: 'The payments in them, before fees and deductions.' }),
    fees: t.expose('fees', { type: 'Decimal', description: 'The fees of their payments.' }),
    deductions: t.expose('deductions', { type: 'Decimal', description: 'Taken off beside fees.' }),
    net: t.expose('net', { type: 'Decimal', description: 'Paid out, or to be paid out.' }),
    explained: t.expose('explained', { type: 'Decimal', description: 'Sum of the matched lines, each without its sign.' }),
    unexplained: t.expose('unexplained', {
      type: 'Decimal',
      description: 'The same of the other lines, and of what no line accounts for.',
    }),
  }),
});

builder.queryField('settlementSums', (t) =>
  t.field({
    type: [Sums],
    description: 'Settlements, counted and added up by status and currency.',
    authScopes: { permission: PERMISSION },
    args: { filter: t.arg({ type: Filter, required: true, description: 'Filter.' }) },
    complexity: { field: 50, multiplier: 10 },
    resolve: (_root, { filter }, context) => sumSettlements(context.reports, settlementsOf(context, filter), context.signal),
  }),
);

const LineFilter = builder.inputType('SettlementLineFilter', {
  description: 'Filter of lines of settlements. An omitted field matches all.',
  fields: (t) => ({
    ...scopeFields(t),
    ...paidOutFields(t),
    settlementId: t.id({ description: 'Their settlement.', validate: uuid }),
    kinds: t.field({ type: [SettlementLineKind], description: 'Kinds.' }),
    unmatchedOnly: t.boolean({ description: 'Only those that are not matched with a payment, refund or dispute.' }),
  }),
});

function linesOf(context: GraphqlContext, filter: typeof LineFilter.$inferInput) {
  return {
    ...filterOf(context, PERMISSION, filter),
    from: filter.settledFrom ?? null,
    to: filter.settledTo ?? null,
    settlementId: idOf(filter.settlementId),
    kinds: filter.kinds ?? [],
    unmatchedOnly: filter.unmatchedOnly ?? false,
  };
}

builder.queryField('settlementLines', (t) =>
  t.connection(
    {
      type: SettlementLine,
      description: 'Lines of settlements, newest first.',
      authScopes: { permission: PERMISSION },
      args: { filter: t.arg({ type: LineFilter, required: true, description: 'Filter.' }) },
      complexity: pageCost,
      resolve: (_root, { filter, ...args }, context) => {
        const { prisma } = context.reports;
        const list = settlementLineList(linesOf(context, filter));
        return readPage(context, list, args, (rows) => prisma.settlementLine.findMany(rows));
      },
    },
    { name: 'SettlementLineConnection', description: 'A page of lines of settlements.' },
    { name: 'SettlementLineEdge', description: 'A line of a settlement and its cursor.' },
  ),
);

const LineSums = builder.objectRef<SettlementLineSum>('SettlementLineSums').implement({
  description: 'Lines of settlements of one kind and currency together. Amounts are exact decimals of the main unit.',
  fields: (t) => ({
    kind: t.expose('kind', { type: SettlementLineKind, description: 'What they are of.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code of their amounts.' }),
    count: t.exposeInt('count', { description: 'The number of lines.' }),
    amount: t.expose('amount', { type: 'Decimal', description: 'Negative where they take off what is paid out.' }),
    unmatchedCount: t.exposeInt('unmatchedCount', { description: 'Of them: those that are not matched.' }),
    unmatchedAmount: t.expose('unmatchedAmount', { type: 'Decimal', description: 'The amount of those that are not matched.' }),
  }),
});

builder.queryField('settlementLineSums', (t) =>
  t.field({
    type: [LineSums],
    description: 'Lines of settlements, counted and added up by kind and currency.',
    authScopes: { permission: PERMISSION },
    args: { filter: t.arg({ type: LineFilter, required: true, description: 'Filter.' }) },
    complexity: { field: 50, multiplier: 10 },
    resolve: (_root, { filter }, context) => sumSettlementLines(context.reports, linesOf(context, filter), context.signal),
  }),
);

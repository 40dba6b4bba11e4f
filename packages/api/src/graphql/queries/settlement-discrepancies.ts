import { dayText } from '@switchyard/runtime/calendar-days';
import {
  ANY_SETTLEMENT_DISCREPANCY,
  type SettlementAbout,
  type SettlementDiscrepancySum,
  settlementDiscrepancyList,
  sumSettlementDiscrepancies,
} from '@switchyard/settlements/lists';
import { builder, type GraphqlContext } from '../builder.ts';
import { idOf, pageCost, requestedMerchants, toId, uuid, uuids, words } from '../inputs.ts';
import { Account, accountOf } from '../types/account.ts';
import { DiscrepancyState, Mode, SettlementDiscrepancyKind, SettlementLineKind } from '../types/enums.ts';
import { filterOf, readPage, scopeFields } from './read-page.ts';

const PERMISSION = 'report:read';
const RULES_MAX = 500;

const Discrepancy = builder.prismaObject('SettlementDiscrepancy', {
  name: 'SettlementDiscrepancy',
  description:
    'A difference between what was expected of a gateway and what it settled, or reached the bank. Amounts are exact decimals of the main unit.',
  select: { merchantId: true, mode: true, accountId: true, gateway: true },
  authScopes: ({ merchantId, mode }) => ({ owner: { merchantId, mode, permission: PERMISSION } }),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the discrepancy.' }),
    account: t.field({
      type: Account,
      description: 'The gateway account.',
      resolve: ({ accountId, gateway }, _args, { switchyard }) => accountOf(switchyard, accountId, gateway),
    }),
    kind: t.expose('kind', { type: SettlementDiscrepancyKind, description: 'How they differ.' }),
    state: t.expose('state', { type: DiscrepancyState, description: 'Its state.' }),
    subject: t.exposeString('subject', {
      description:
        'What it is about: payment/…, duplicate/…, refund/…, reversal/…, dispute/…, line/…, fee/…, payout/…, status/… or bank/….',
    }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code of its amounts.' }),
    expected: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Net amount expected, or the fee by contract; null of an unmatched line.',
      select: { expected: true },
      resolve: ({ expected }) => expected?.toFixed() ?? null,
    }),
    settled: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Net amount settled, or the fee charged; null where nothing was.',
      select: { settled: true },
      resolve: ({ settled }) => settled?.toFixed() ?? null,
    }),
    amount: t.field({
      type: 'Decimal',
      description: 'The amount in question, without a sign: the difference where something was settled, else the whole.',
      select: { expected: true, settled: true },
      resolve: ({ expected, settled }) => (settled?.minus(expected ?? 0) ?? expected)?.abs().toFixed() ?? '0',
    }),
    expectedOn: t.string({
      nullable: true,
      description: 'When it was expected: YYYY-MM-DD; null of an unmatched line.',
      select: { expectedOn: true },
      resolve: ({ expectedOn }) => (expectedOn === null ? null : dayText(expectedOn)),
    }),
    settlementId: t.exposeID('settlementId', { nullable: true, description: 'The settlement that it was found in.' }),
    paymentId: t.exposeID('paymentId', { nullable: true, description: 'The payment that it is about.' }),
    refundId: t.exposeID('refundId', { nullable: true, description: 'The refund that it is about.' }),
    disputeId: t.exposeID('disputeId', { nullable: true, description: 'The dispute that it is about.' }),
    ownerId: t.exposeID('ownerId', { nullable: true, description: 'The staff user it is assigned to.' }),
    note: t.exposeString('note', { nullable: true, description: "The owner's note." }),
    resolvedBy: t.exposeString('resolvedBy', {
      nullable: true,
      description: 'staff:<id>, rule:<id> of the rule that ignores it, or system:settlements when it was settled after all.',
    }),
    resolvedAt: t.expose('resolvedAt', { type: 'DateTime', nullable: true, description: 'When it was closed.' }),
    resolution: t.exposeString('resolution', { nullable: true, description: 'Why it was closed.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was found.' }),
  }),
});

const About = builder.enumType('SettlementDiscrepancyAbout', {
  description: 'What a discrepancy of settlements is about: the beginning of its subject.',
  values: {
    PAYMENT: { value: 'payment', description: 'A payment.' },
    DUPLICATE: { value: 'duplicate', description: 'A duplicate charge.' },
    REFUND: { value: 'refund', description: 'A refund.' },
    REVERSAL: { value: 'reversal', description: 'Money that the gateway took back.' },
    DISPUTE: { value: 'dispute', description: 'A dispute.' },
    FEE: { value: 'fee', description: 'The fee of a payment.' },
    LINE: { value: 'line', description: 'A line of a payout that nothing explains.' },
    PAYOUT: { value: 'payout', description: 'What reached the bank of a payout.' },
    BANK: { value: 'bank', description: 'A credit at the bank that is of no payout.' },
    STATUS: { value: 'status', description: 'A payout whose status is not recognised.' },
  } satisfies Record<Uppercase<SettlementAbout>, { value: SettlementAbout; description: string }>,
});

const Filter = builder.inputType('SettlementDiscrepancyFilter', {
  description: 'Filter of discrepancies of settlements. An omitted field matches all.',
  fields: (t) => ({
    ...scopeFields(t),
    states: t.field({ type: [DiscrepancyState], description: 'States.' }),
    kinds: t.field({ type: [SettlementDiscrepancyKind], description: 'Kinds.' }),
    abouts: t.field({ type: [About], description: 'What they are about.' }),
    accountIds: t.idList({ description: 'Gateway accounts; all when omitted.', validate: uuids }),
    settlementId: t.id({ description: 'The settlement that they were found in.', validate: uuid }),
    paymentId: t.id({ description: 'The payment that they are about.', validate: uuid }),
    ownerId: t.id({ description: 'The staff user they are assigned to.', validate: uuid }),
    unowned: t.boolean({ description: 'Whether they have no owner.' }),
    amountFrom: t.field({ type: 'Amount', description: 'Smallest amount in question, inclusive.' }),
    amountTo: t.field({ type: 'Amount', description: 'Largest, inclusive.' }),
    text: t.string({
      description: 'Begins the reference, transaction id or order id, or is within the note.',
      validate: words.nullish(),
    }),
  }),
});

function discrepanciesOf(context: GraphqlContext, filter: typeof Filter.$inferInput) {
  return {
    ...ANY_SETTLEMENT_DISCREPANCY,
    ...filterOf(context, PERMISSION, filter),
    kinds: filter.kinds ?? [],
    abouts: filter.abouts ?? [],
    accountIds: (filter.accountIds ?? []).map(toId),
    settlementId: idOf(filter.settlementId),
    paymentId: idOf(filter.paymentId),
    ownerId: idOf(filter.ownerId),
    unowned: filter.unowned ?? null,
    amountFrom: filter.amountFrom ?? null,
    amountTo: filter.amountTo ?? null,
    text: filter.text ?? null,
  };
}

builder.queryField('settlementDiscrepancies', (t) =>
  t.connection(
    {
      type: Discrepancy,
      description: 'Discrepancies of settlements, newest first.',
      authScopes: { permission: PERMISSION },
      args: { filter: t.arg({ type: Filter, required: true, description: 'Filter.' }) },
      complexity: pageCost,
      resolve: (_root, { filter, ...args }, context) => {
        const { prisma } = context.reports;
        const list = settlementDiscrepancyList(discrepanciesOf(context, filter));
        return readPage(context, list, args, (rows) => prisma.settlementDiscrepancy.findMany(rows));
      },
    },
    { name: 'SettlementDiscrepancyConnection', description: 'A page of discrepancies of settlements.' },
    { name: 'SettlementDiscrepancyEdge', description: 'A discrepancy of settlements and its cursor.' },
  ),
);

const Sums = builder.objectRef<SettlementDiscrepancySum>('SettlementDiscrepancySums').implement({
  description: 'Discrepancies of settlements of one kind, state and currency together.',
  fields: (t) => ({
    kind: t.expose('kind', { type: SettlementDiscrepancyKind, description: 'Their kind.' }),
    state: t.expose('state', { type: DiscrepancyState, description: 'Their state.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    count: t.exposeInt('count', { description: 'How many.' }),
    amount: t.expose('amount', { type: 'Decimal', description: 'The amounts in question.' }),
  }),
});

builder.queryField('settlementDiscrepancySums', (t) =>
  t.field({
    type: [Sums],
    description: 'Discrepancies of settlements, counted and added up by kind, state and currency.',
    authScopes: { permission: PERMISSION },
    args: { filter: t.arg({ type: Filter, required: true, description: 'Filter.' }) },
    complexity: { field: 50, multiplier: 10 },
    resolve: (_root, { filter }, context) =>
      sumSettlementDiscrepancies(context.reports, discrepanciesOf(context, filter), context.signal),
  }),
);

const Rule = builder.prismaObject('SettlementIgnoreRule', {
  name: 'SettlementIgnoreRule',
  description: 'A kind of discrepancy of settlements that is closed as soon as it is found.',
  select: { merchantId: true, id: true },
  authScopes: ({ merchantId }) => ({ owner: { merchantId, mode: null, permission: PERMISSION } }),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the rule.' }),
    accountId: t.exposeID('accountId', { nullable: true, description: 'The gateway account; null for every one.' }),
    kind: t.expose('kind', { type: SettlementDiscrepancyKind, description: 'The kind that it covers.' }),
    lineKind: t.expose('lineKind', {
      type: SettlementLineKind,
      nullable: true,
      description: 'Of an unmatched line; null for every kind.',
    }),
    amountMax: t.field({
      type: 'Decimal',
      description: 'The largest amount in question that it covers.',
      select: { amountMax: true },
      resolve: ({ amountMax }) => amountMax.toFixed(),
    }),
    reason: t.exposeString('reason', { description: 'Why it is ignored.' }),
    createdBy: t.exposeString('createdBy', { description: 'Who created it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When.' }),
    endedAt: t.expose('endedAt', { type: 'DateTime', nullable: true, description: 'When it ended; null while it applies.' }),
    resolved: t.loadable({
      type: 'Int',
      description: 'Discrepancies that are closed under it.',
      load: async (keys: string[], { reports }) => {
        const found = await reports.prisma.settlementDiscrepancy.groupBy({
          by: ['merchantId', 'resolvedBy'],
          where: { OR: keys.map(closedUnder) },
          _count: true,
        });
        const counts = new Map(found.map((each) => [`${each.merchantId}/${each.resolvedBy}`, each._count]));
        return keys.map((key) => counts.get(key) ?? 0);
      },
      resolve: ({ merchantId, id }) => `${merchantId}/rule:${id}`,
    }),
  }),
});

function closedUnder(key: string) {
  const [merchantId = '', resolvedBy = ''] = key.split('/');
  return { merchantId, resolvedBy };
}

const RuleFilter = builder.inputType('SettlementIgnoreRuleFilter', {
  description: 'Filter of rules. An omitted field matches all.',
  fields: (t) => ({
    mode: t.field({ type: Mode, required: true, description: 'Mode of their accounts; rules of every account are of both.' }),
    merchantIds: t.idList({ description: 'Merchants; all that the caller may read when omitted.', validate: uuids }),
    ended: t.boolean({ description: 'With those that no longer apply.' }),
  }),
});

builder.queryField('settlementIgnoreRules', (t) =>
  t.field({
    type: [Rule],
    description: `Rules that close discrepancies of settlements, newest first; at most ${RULES_MAX}.`,
    authScopes: { permission: PERMISSION },
    args: { filter: t.arg({ type: RuleFilter, required: true, description: 'Filter.' }) },
    complexity: { field: 20, multiplier: 20 },
    resolve: (_root, { filter }, { switchyard, reports, viewer }) => {
      const { configuration } = switchyard.resources;
      const merchantIds = requestedMerchants(viewer, PERMISSION, filter);
      const accounts = merchantIds.flatMap((merchantId) => configuration.merchant(merchantId)?.accounts ?? []);
      const accountIds = accounts.filter(({ mode }) => mode === filter.mode).map(({ id }) => id);
      return reports.prisma.settlementIgnoreRule.findMany({
        where: {
          merchantId: { in: [...merchantIds] },
          OR: [{ accountId: null }, { accountId: { in: accountIds } }],
          ...(filter.ended !== true && { endedAt: null }),
        },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: RULES_MAX,
      });
    },
  }),
);

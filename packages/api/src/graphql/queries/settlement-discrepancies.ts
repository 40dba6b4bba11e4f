import { listOf } from '@switchyard/nouns';
import { type SettlementDiscrepancySum, sumSettlementDiscrepancies } from '@switchyard/settlements/lists';
import { SETTLEMENT_ABOUTS, type SettlementAbout, settlementDiscrepancyNoun } from '@switchyard/settlements/nouns';
import { builder } from '../builder.ts';
import { pageCost, requestedMerchants, uuids } from '../inputs.ts';
import { nounFilter, showFields } from '../nouns.ts';
import { Account, accountOf } from '../types/account.ts';
import { DiscrepancyState, Mode, nameWords, SettlementDiscrepancyKind, SettlementLineKind } from '../types/enums.ts';
import { readPage } from './read-page.ts';

const PERMISSION = settlementDiscrepancyNoun.permission;
const RULES_MAX = 500;

const Discrepancy = builder.prismaObject('SettlementDiscrepancy', {
  name: 'SettlementDiscrepancy',
  description:
    'A difference between what was expected of a gateway and what it settled, or reached the bank. Amounts are exact decimals of the main unit.',
  authScopes: ({ merchantId, mode }) => ({ owner: { merchantId, mode, permission: PERMISSION } }),
  fields: (t) => ({
    account: t.field({
      type: Account,
      description: 'The gateway account.',
      resolve: ({ accountId, gateway }, _args, { switchyard }) => accountOf(switchyard, accountId, gateway),
    }),
    subject: t.exposeString('subject', {
      description:
        'What it is about: payment/…, duplicate/…, refund/…, reversal/…, dispute/…, line/…, fee/…, payout/…, status/… or bank/….',
    }),
    amount: t.field({
      type: 'Decimal',
      description: 'The amount in question, without a sign: the difference where both sides have one, else the whole.',
      resolve: ({ expected, settled }) => (settled?.minus(expected ?? 0) ?? expected)?.abs().toFixed() ?? '0',
    }),
  }),
});
showFields(Discrepancy, 'SettlementDiscrepancy', settlementDiscrepancyNoun, 'discrepancy_id');

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

nameWords(SETTLEMENT_ABOUTS, About);

const discrepancyFilter = nounFilter(
  'SettlementDiscrepancyFilter',
  'Filter of discrepancies of settlements. An omitted field matches all.',
  settlementDiscrepancyNoun,
);

builder.queryField('settlementDiscrepancies', (t) =>
  t.connection(
    {
      type: Discrepancy,
      description: 'Discrepancies of settlements, newest first.',
      authScopes: { permission: PERMISSION },
      args: { filter: t.arg({ type: discrepancyFilter.type, required: true, description: 'Filter.' }) },
      complexity: pageCost,
      resolve: (_root, { filter, ...args }, context) => {
        const { prisma } = context.reports;
        const list = listOf(settlementDiscrepancyNoun, discrepancyFilter.read(context, filter));
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
    args: { filter: t.arg({ type: discrepancyFilter.type, required: true, description: 'Filter.' }) },
    complexity: { field: 50, multiplier: 10 },
    resolve: (_root, { filter }, context) =>
      sumSettlementDiscrepancies(context.reports, discrepancyFilter.read(context, filter), context.signal),
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

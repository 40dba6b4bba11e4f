import { listOf } from '@switchyard/nouns';
import {
  type SettlementLineSum,
  type SettlementSum,
  settlementFileList,
  sumSettlementLines,
  sumSettlements,
} from '@switchyard/settlements/lists';
import { settlementLineNoun, settlementNoun } from '@switchyard/settlements/nouns';
import { builder } from '../builder.ts';
import { pageCost, requestedMerchants, toId, uuids } from '../inputs.ts';
import { nounFilter, showFields } from '../nouns.ts';
import { Account, accountOf } from '../types/account.ts';
import { Mode, SettlementLineKind, SettlementStatus } from '../types/enums.ts';
import { filterOf, readPage, scopeFields } from './read-page.ts';

const PERMISSION = settlementNoun.permission;

/** GraphQL type of a settlement; read with `report:read` only. */
const Settlement = builder.prismaObject('Settlement', {
  name: 'Settlement',
  description: "A payout of a gateway to the merchant's bank. Amounts are exact decimals of the main unit.",
  authScopes: ({ merchantId, mode }) => ({ owner: { merchantId, mode, permission: PERMISSION } }),
  fields: (t) => ({
    account: t.field({
      type: Account,
      description: 'The gateway account that was paid out.',
      resolve: ({ accountId, gateway }, _args, { switchyard }) => accountOf(switchyard, accountId, gateway),
    }),
  }),
});
showFields(Settlement, 'Settlement', settlementNoun, 'settlement_id', ['road']);

/** GraphQL type of a line of a settlement; read with `report:read` only. */
const SettlementLine = builder.prismaObject('SettlementLine', {
  name: 'SettlementLine',
  description: 'An amount in a settlement, as its gateway has it.',
  authScopes: ({ merchantId }) => ({ owner: { merchantId, mode: null, permission: PERMISSION } }),
  fields: (t) => ({
    matched: t.boolean({
      description: 'True if it is matched with a payment, refund or dispute.',
      resolve: ({ linkedBy }) => linkedBy !== null,
    }),
  }),
});
showFields(SettlementLine, 'SettlementLine', settlementLineNoun, 'line_id', ['linked_by']);

/** Days of the payout, by which settlements and their lines are of a period. */
const PAID_OUT = { from: 'settledFrom', to: 'settledTo' };

const settlementFilter = nounFilter('SettlementsFilter', 'Filter of settlements. An omitted field matches all.', settlementNoun, {
  names: { ...PAID_OUT, statuses: 'states' },
});

builder.queryField('settlements', (t) =>
  t.connection(
    {
      type: Settlement,
      description: "Payouts of gateways to merchants' banks, newest first.",
      authScopes: { permission: PERMISSION },
      args: { filter: t.arg({ type: settlementFilter.type, required: true, description: 'Filter.' }) },
      complexity: pageCost,
      resolve: (_root, { filter, ...args }, context) => {
        const { prisma } = context.reports;
        const list = listOf(settlementNoun, settlementFilter.read(context, filter));
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
    args: { filter: t.arg({ type: settlementFilter.type, required: true, description: 'Filter.' }) },
    complexity: { field: 50, multiplier: 10 },
    resolve: (_root, { filter }, context) =>
      sumSettlements(context.reports, settlementFilter.read(context, filter), context.signal),
  }),
);

const lineFilter = nounFilter(
  'SettlementLineFilter',
  'Filter of lines of settlements. An omitted field matches all.',
  settlementLineNoun,
  { names: PAID_OUT },
);

builder.queryField('settlementLines', (t) =>
  t.connection(
    {
      type: SettlementLine,
      description: 'Lines of settlements, newest first.',
      authScopes: { permission: PERMISSION },
      args: { filter: t.arg({ type: lineFilter.type, required: true, description: 'Filter.' }) },
      complexity: pageCost,
      resolve: (_root, { filter, ...args }, context) => {
        const { prisma } = context.reports;
        const list = listOf(settlementLineNoun, lineFilter.read(context, filter));
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
    args: { filter: t.arg({ type: lineFilter.type, required: true, description: 'Filter.' }) },
    complexity: { field: 50, multiplier: 10 },
    resolve: (_root, { filter }, context) =>
      sumSettlementLines(context.reports, lineFilter.read(context, filter), context.signal),
  }),
);

const FILE_PERMISSION = 'report:read';
const PROFILES_MAX = 1_000;

const File = builder.prismaObject('SettlementFile', {
  name: 'SettlementFile',
  description: 'A file of settlements that was taken in.',
  select: { merchantId: true, mode: true, accountId: true },
  authScopes: ({ merchantId, mode }) => ({ owner: { merchantId, mode, permission: FILE_PERMISSION } }),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the file.' }),
    account: t.field({
      type: Account,
      description: 'The gateway account that it is of.',
      resolve: ({ accountId }, _args, { switchyard }) =>
        accountOf(switchyard, accountId, switchyard.resources.configuration.account(accountId)?.account.gateway ?? ''),
    }),
    name: t.exposeString('name', { description: 'Its name.' }),
    hash: t.exposeString('hash', { description: 'SHA-256 of its bytes, hexadecimal.' }),
    bytes: t.exposeInt('bytes', { description: 'Its size.' }),
    mapping: t.expose('mapping', { type: 'JSON', description: 'How its columns were read.' }),
    rows: t.exposeInt('rows', { description: 'The number of its rows.' }),
    settlements: t.exposeInt('settlements', { description: 'Settlements that became known by it.' }),
    lines: t.exposeInt('lines', { description: 'Their lines.' }),
    replaced: t.exposeInt('replaced', { description: 'Settlements that it replaced.' }),
    extended: t.exposeInt('extended', { description: 'Settlements that it added lines to.' }),
    takenAt: t.expose('takenAt', { type: 'DateTime', description: 'When it was taken in.' }),
    withdrawnAt: t.expose('withdrawnAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When staff withdrew it; null while it counts.',
    }),
  }),
});

const FileFilter = builder.inputType('SettlementFileFilter', {
  description: 'Filter of files of settlements by when they were taken in. An omitted field matches all.',
  fields: (t) => ({
    ...scopeFields(t),
    accountIds: t.idList({ description: 'Gateway accounts; all when omitted.', validate: uuids }),
  }),
});

builder.queryField('settlementFiles', (t) =>
  t.connection(
    {
      type: File,
      description: 'Files of settlements that were taken in, newest first.',
      authScopes: { permission: FILE_PERMISSION },
      args: { filter: t.arg({ type: FileFilter, required: true, description: 'Filter.' }) },
      complexity: pageCost,
      resolve: (_root, { filter, ...args }, context) => {
        const { prisma } = context.reports;
        const accountIds = (filter.accountIds ?? []).map(toId);
        const list = settlementFileList({ ...filterOf(context, FILE_PERMISSION, filter), accountIds });
        return readPage(context, list, args, async ({ where }, direction) => {
          const rows = await prisma.settlementFile.findMany({ where, orderBy: [{ takenAt: direction }, { id: direction }] });
          return rows.map((row) => ({ ...row, createdAt: row.takenAt }));
        });
      },
    },
    { name: 'SettlementFileConnection', description: 'A page of files of settlements.' },
    { name: 'SettlementFileEdge', description: 'A file of settlements and its cursor.' },
  ),
);

const Profile = builder.prismaObject('SettlementProfile', {
  name: 'SettlementProfile',
  description: "How the columns of a gateway account's files are read.",
  select: { merchantId: true, accountId: true, gateway: true },
  authScopes: ({ merchantId }) => ({ owner: { merchantId, mode: null, permission: FILE_PERMISSION } }),
  fields: (t) => ({
    account: t.field({
      type: Account,
      description: 'The gateway account.',
      resolve: ({ accountId, gateway }, _args, { switchyard }) => accountOf(switchyard, accountId, gateway),
    }),
    mapping: t.expose('mapping', { type: 'JSON', description: 'What each column is, and how amounts and times are written.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When a file was last taken in by it.' }),
  }),
});

const ProfileFilter = builder.inputType('SettlementProfileFilter', {
  description: 'Filter of profiles. An omitted field matches all.',
  fields: (t) => ({
    mode: t.field({ type: Mode, required: true, description: 'Mode of the accounts.' }),
    merchantIds: t.idList({ description: 'Merchants; all that the caller may read when omitted.', validate: uuids }),
    accountIds: t.idList({ description: 'Gateway accounts; all when omitted.', validate: uuids }),
  }),
});

builder.queryField('settlementProfiles', (t) =>
  t.field({
    type: [Profile],
    description: `How the files of gateway accounts are read, for each account with a profile; at most ${PROFILES_MAX}.`,
    authScopes: { permission: FILE_PERMISSION },
    args: { filter: t.arg({ type: ProfileFilter, required: true, description: 'Filter.' }) },
    complexity: { field: 20, multiplier: 20 },
    resolve: (_root, { filter }, { switchyard, reports, viewer }) => {
      const { configuration } = switchyard.resources;
      const wanted = new Set((filter.accountIds ?? []).map(toId));
      const accountIds = requestedMerchants(viewer, FILE_PERMISSION, filter)
        .flatMap((merchantId) => configuration.merchant(merchantId)?.accounts ?? [])
        .filter(({ id, mode }) => mode === filter.mode && (wanted.size === 0 || wanted.has(id)));
      return reports.prisma.settlementProfile.findMany({
        where: { OR: accountIds.map(({ merchantId, id: accountId }) => ({ merchantId, accountId })) },
        orderBy: [{ merchantId: 'asc' }, { accountId: 'asc' }],
        take: PROFILES_MAX,
      });
    },
  }),
);

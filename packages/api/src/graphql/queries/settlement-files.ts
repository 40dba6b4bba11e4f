import { settlementFileList } from '@switchyard/settlements/lists';
import { builder } from '../builder.ts';
import { pageCost, requestedMerchants, toId, uuids } from '../inputs.ts';
import { Account, accountOf } from '../types/account.ts';
import { Mode } from '../types/enums.ts';
import { filterOf, readPage, scopeFields } from './read-page.ts';

const PERMISSION = 'report:read';
const PROFILES_MAX = 1_000;

const File = builder.prismaObject('SettlementFile', {
  name: 'SettlementFile',
  description: 'A file of settlements that was taken in.',
  select: { merchantId: true, mode: true, accountId: true },
  authScopes: ({ merchantId, mode }) => ({ owner: { merchantId, mode, permission: PERMISSION } }),
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
      authScopes: { permission: PERMISSION },
      args: { filter: t.arg({ type: FileFilter, required: true, description: 'Filter.' }) },
      complexity: pageCost,
      resolve: (_root, { filter, ...args }, context) => {
        const { prisma } = context.reports;
        const accountIds = (filter.accountIds ?? []).map(toId);
        const list = settlementFileList({ ...filterOf(context, PERMISSION, filter), accountIds });
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
  authScopes: ({ merchantId }) => ({ owner: { merchantId, mode: null, permission: PERMISSION } }),
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
    authScopes: { permission: PERMISSION },
    args: { filter: t.arg({ type: ProfileFilter, required: true, description: 'Filter.' }) },
    complexity: { field: 20, multiplier: 20 },
    resolve: (_root, { filter }, { switchyard, reports, viewer }) => {
      const { configuration } = switchyard.resources;
      const wanted = new Set((filter.accountIds ?? []).map(toId));
      const accountIds = requestedMerchants(viewer, PERMISSION, filter)
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

import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import type { DataColumn } from '#/components/data-table/data-table.tsx';
import type { ListDefinition } from '#/components/list/use-list.ts';
import { Moment } from '#/components/time/moment.tsx';
import { useNow } from '#/components/time/now.tsx';
import { isActive, type Token } from './use-tokens.ts';

/** The columns and orders of the list. */
export const TOKEN_LIST: ListDefinition = {
  page: 'machine-tokens',
  columns: [
    { id: 'name', title: 'Name', fixed: true },
    { id: 'reach', title: 'Scopes' },
    { id: 'owner', title: 'Issued by' },
    { id: 'text', title: 'Token ends in', optional: true },
    { id: 'used', title: 'Last used' },
    { id: 'ends', title: 'Expires' },
    { id: 'state', title: 'State' },
    { id: 'actions', title: 'Actions', fixed: true },
  ],
  orders: [
    { by: 'name', descending: false },
    { by: 'owner', descending: false },
    { by: 'used', descending: true },
    { by: 'ends', descending: false },
  ],
  notSaved: ['do', 'token'],
};

/** Rights of a token, in a few words. */
function describeScopes({ scopes, merchantIds, modes }: Token): string {
  const { length } = merchantIds;
  const reports = `Reports of ${length} ${length === 1 ? 'merchant' : 'merchants'}, ${modes.join(' and ')}`;
  const agent = scopes.includes('drafts') ? 'Agent: reads, saves drafts' : 'Agent: reads';
  return [...(scopes.includes('reports') ? [reports] : []), ...(scopes.includes('tools') ? [agent] : [])].join('; ');
}

/** The columns, with the button that revokes a token: null where none can be revoked. */
export function tokenColumns(onRevoke: ((tokenId: string) => void) | null): DataColumn<Token>[] {
  const columns: DataColumn<Token>[] = [
    {
      id: 'name',
      header: 'Name',
      sortable: 'ascending',
      sortValue: ({ name }) => name.toLowerCase(),
      className: 'font-medium',
      cell: ({ name }) => <span title={name}>{name}</span>,
    },
    {
      id: 'reach',
      header: 'Scopes',
      className: 'text-ink-quiet th:w-[22%]',
      cell: (token) => <span title={describeScopes(token)}>{describeScopes(token)}</span>,
    },
    {
      id: 'owner',
      header: 'Issued by',
      sortable: 'ascending',
      sortValue: ({ staffName }) => staffName.toLowerCase(),
      className: 'th:w-[15%]',
      cell: ({ staffName }) => <span title={staffName}>{staffName}</span>,
    },
    { id: 'text', header: 'Token ends in', className: 'th:w-[120px]', cell: ({ lastFour }) => <code>{lastFour}</code> },
    {
      id: 'used',
      header: 'Last used',
      sortable: 'descending',
      sortValue: ({ lastUsedAt }) => lastUsedAt?.getTime() ?? 0,
      className: 'text-ink-quiet tabular-nums th:w-[116px]',
      cell: ({ lastUsedAt }) => (
        <>
          <span className="hidden card:inline">Used </span>
          {lastUsedAt === null ? 'never' : <Moment value={lastUsedAt} />}
        </>
      ),
    },
    {
      id: 'ends',
      header: 'Expires',
      sortable: 'ascending',
      sortValue: ({ expiresAt }) => expiresAt,
      className: 'text-ink-quiet tabular-nums @min-[460px]/data-table:@max-[860px]/data-table:hidden th:w-[164px]',
      cell: ({ expiresAt }) => (
        <>
          <span className="hidden card:inline">Expires </span>
          <Moment value={expiresAt} />
        </>
      ),
    },
    {
      id: 'state',
      header: 'State',
      className: onRevoke === null ? 'w-[180px] card:w-auto' : 'w-[100px] card:w-auto',
      cell: (token) => <State token={token} />,
    },
  ];
  if (onRevoke === null) return columns;
  return [
    ...columns,
    {
      id: 'actions',
      header: 'Actions',
      unseen: true,
      className: 'text-end th:w-[100px]',
      cell: ({ tokenId, name }) => (
        <Button variant="danger" onClick={() => onRevoke(tokenId)} aria-label={`Revoke ${name}`}>
          Revoke
        </Button>
      ),
    },
  ];
}

function State({ token }: { token: Token }) {
  const now = useNow();
  if (isActive(token, now)) return <Badge tone="good">Active</Badge>;
  if (token.revokedAt === null) return <Badge tone="over">Expired</Badge>;
  return (
    <Badge tone="over">
      <span>
        Revoked <Moment value={token.revokedAt} />
      </span>
    </Badge>
  );
}

import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import type { DataColumn } from '#/components/data-table/data-table.tsx';
import type { ListDefinition } from '#/components/list/use-list.ts';
import { Moment } from '#/components/time/moment.tsx';
import { useNow } from '#/components/time/now.tsx';
import { isActive, type Token } from './use-tokens.ts';

/** The orders of the list. */
export const TOKEN_LIST: ListDefinition = {
  page: 'machine-tokens',
  orders: [
    { by: 'name', descending: false },
    { by: 'owner', descending: false, title: 'Issued by' },
    { by: 'used', descending: true, title: 'Last used' },
    { by: 'ends', descending: false, title: 'Expires' },
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
      fixed: true,
      sortable: 'ascending',
      sortValue: ({ name }) => name.toLowerCase(),
      className: 'font-medium',
      cell: ({ name }) => <span title={name}>{name}</span>,
    },
    {
      id: 'reach',
      header: 'Scopes',
      className: 'text-ink-quiet',
      cell: (token) => <span title={describeScopes(token)}>{describeScopes(token)}</span>,
    },
    {
      id: 'owner',
      header: 'Issued by',
      sortable: 'ascending',
      sortValue: ({ staffName }) => staffName.toLowerCase(),
      cell: ({ staffName }) => <span title={staffName}>{staffName}</span>,
    },
    { id: 'text', header: 'Token ends in', optional: true, cell: ({ lastFour }) => <code>{lastFour}</code> },
    {
      id: 'used',
      header: 'Last used',
      sortable: 'descending',
      sortValue: ({ lastUsedAt }) => lastUsedAt?.getTime() ?? 0,
      className: 'text-ink-quiet tabular-nums',
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
      className: 'text-ink-quiet tabular-nums @max-[860px]/room:hidden',
      cell: ({ expiresAt }) => (
        <>
          <span className="hidden card:inline">Expires </span>
          <Moment value={expiresAt} />
        </>
      ),
    },
    {
      id: 'state',
      header: 'Status',
      cell: (token) => <State token={token} />,
    },
  ];
  if (onRevoke === null) return columns;
  return [
    ...columns,
    {
      id: 'actions',
      header: 'Actions',
      fixed: true,
      unseen: true,
      className: 'text-end',
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

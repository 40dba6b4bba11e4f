'use client';

import type { ReactNode } from 'react';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import { pickColumns } from '#/components/list/list-columns.ts';
import { ListEnd } from '#/components/list/list-end.tsx';
import { ListTools } from '#/components/list/list-tools.tsx';
import type { ListState } from '#/components/list/use-list.ts';
import { PageHead } from '#/components/page/page-head.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { SegmentedControl } from '#/components/segmented-control/segmented-control.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { useNow } from '#/components/time/now.tsx';
import { isActive, type Token, type TokenView } from './use-tokens.ts';

/** A list of tokens with its head: the active ones, or the ones that ended. */
export function TokenList<Row extends Token>({
  title,
  about,
  none,
  view,
  isLoading,
  problem,
  list,
  columns,
  create,
}: {
  title: string;
  about: string;
  /** Text while there is no active token. */
  none: string;
  view: TokenView<Row>;
  isLoading: boolean;
  /** Why the tokens could not be loaded. */
  problem: string | null;
  list: ListState;
  columns: readonly DataColumn<Row>[];
  /** The button that creates a token, for who may. */
  create: ReactNode;
}) {
  const { active, endedCount, showsEnded, setShowsEnded, rows } = view;
  const isKnown = !isLoading && problem === null;
  return (
    <>
      <PageHead title={title}>
        {endedCount > 0 && (
          <SegmentedControl
            label="Which tokens"
            choices={[
              { value: 'active', label: `Active (${active.length})` },
              { value: 'ended', label: `Ended (${endedCount})` },
            ]}
            value={showsEnded ? 'ended' : 'active'}
            onChange={(value) => setShowsEnded(value === 'ended')}
          />
        )}
        <ListTools list={list} />
        {create}
      </PageHead>
      <p className="max-w-[720px] mb-4 text-ink-quiet text-sm">{about}</p>
      <Refusal message={problem} />
      {isLoading && <div className="h-[160px] rounded-sm bg-ground-quiet" role="status" aria-label="Loading tokens" />}
      {isKnown && rows.length === 0 && (
        <p className="max-w-[720px] mb-4 text-ink-quiet text-sm">{showsEnded ? 'No ended tokens.' : none}</p>
      )}
      {rows.length > 0 && (
        <>
          <DataTable
            label={title}
            columns={pickColumns(columns, list.shown)}
            rows={rows}
            rowKey={(row) => row.tokenId}
            sort={list.sort}
            onSort={list.setSort}
          />
          <ListEnd loaded={rows.length} noun={['token', 'tokens']} />
        </>
      )}
    </>
  );
}

/** The column of names. */
export const nameColumn: DataColumn<Token> = {
  id: 'name',
  header: 'Name',
  sortable: 'ascending',
  sortValue: ({ name }) => name.toLowerCase(),
  className: 'font-medium',
  cell: ({ name }) => <span title={name}>{name}</span>,
};

/** When tokens were used and expire, whether they work, and the button that revokes one: null where none can be revoked. */
export function lifeColumns(onRevoke: ((tokenId: string) => void) | null): DataColumn<Token>[] {
  const columns: DataColumn<Token>[] = [
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

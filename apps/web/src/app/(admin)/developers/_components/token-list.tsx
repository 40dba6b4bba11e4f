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
import classes from './token-list.module.css';
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
      <p className={classes.lead}>{about}</p>
      <Refusal message={problem} />
      {isLoading && <div className={classes.waiting} role="status" aria-label="Loading tokens" />}
      {isKnown && rows.length === 0 && <p className={classes.lead}>{showsEnded ? 'No ended tokens.' : none}</p>}
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
  className: classes.name,
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
      className: classes.used,
      cell: ({ lastUsedAt }) => (
        <>
          <span className={classes.narrow}>Used </span>
          {lastUsedAt === null ? 'never' : <Moment value={lastUsedAt} />}
        </>
      ),
    },
    {
      id: 'ends',
      header: 'Expires',
      sortable: 'ascending',
      sortValue: ({ expiresAt }) => expiresAt,
      className: classes.ends,
      cell: ({ expiresAt }) => (
        <>
          <span className={classes.narrow}>Expires </span>
          <Moment value={expiresAt} />
        </>
      ),
    },
    {
      id: 'state',
      header: 'State',
      className: onRevoke === null ? classes.ended : classes.active,
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
      className: classes.actions,
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

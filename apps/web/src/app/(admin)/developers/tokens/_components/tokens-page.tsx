'use client';

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import { Badge } from '../../../../../components/badge.tsx';
import { Button } from '../../../../../components/button.tsx';
import { type DataColumn, DataTable } from '../../../../../components/data-table/data-table.tsx';
import { Command } from '../../../../../components/first-payment.tsx';
import { pickColumns } from '../../../../../components/list/list-columns.ts';
import { ListEnd } from '../../../../../components/list/list-end.tsx';
import { ListTools } from '../../../../../components/list/list-tools.tsx';
import { type ListDefinition, useList } from '../../../../../components/list/use-list.ts';
import { Moment } from '../../../../../components/moment.tsx';
import { useNow } from '../../../../../components/now.tsx';
import { PageHead } from '../../../../../components/page-head.tsx';
import { Refusal } from '../../../../../components/refusal.tsx';
import { Segments } from '../../../../../components/segments/segments.tsx';
import { useScope } from '../../../../../scope/use-scope.ts';
import { useTRPC } from '../../../../../trpc/client.tsx';
import { useMay } from '../../../../../trpc/use-may.ts';
import { exportCommand, volumeCommand } from '../volume-command.ts';
import type { TokenRow } from './token-row.ts';
import classes from './tokens-page.module.css';

const CreateDialog = dynamic(() => import('./create-dialog.tsx').then((module) => module.CreateDialog));
const RevokeDialog = dynamic(() => import('./revoke-dialog.tsx').then((module) => module.RevokeDialog));

const TOKEN_LIST: ListDefinition = {
  page: 'finance-tokens',
  columns: [
    { id: 'name', title: 'Name', fixed: true },
    { id: 'text', title: 'Token' },
    { id: 'reach', title: 'Access' },
    { id: 'used', title: 'Last used' },
    { id: 'ends', title: 'Ends' },
    { id: 'actions', title: 'Actions', fixed: true },
  ],
  orders: [
    { by: 'name', descending: false },
    { by: 'used', descending: true },
    { by: 'ends', descending: false },
  ],
  notSaved: ['do', 'token'],
};

const doingParsers = { do: parseAsStringLiteral(['make', 'revoke'] as const), token: parseAsString };
const viewParsers = { ended: parseAsBoolean.withDefault(false) };

/** The finance tokens with which programs read reports: created and revoked here. */
export function TokensPage({ publicUrl }: { publicUrl: string }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const may = useMay();
  const now = useNow();
  const { mode } = useScope();
  const tools = useList(TOKEN_LIST);
  const [{ ended }, setView] = useQueryStates(viewParsers);
  const [doing, setDoing] = useQueryStates(doingParsers, { history: 'push' });
  const { data, error } = useQuery(
    trpc.financeTokens.list.queryOptions(undefined, { refetchInterval: 30_000, placeholderData: keepPreviousData }),
  );
  const isUsable = (token: TokenRow) => token.revokedAt === null && token.expiresAt.getTime() > now;
  const usable = data?.filter(isUsable) ?? [];
  const rows = ended ? (data ?? []).filter((token) => !isUsable(token)) : usable;
  const endedCount = (data?.length ?? 0) - usable.length;
  const close = () => void setDoing({ do: null, token: null });
  const changed = () => void queries.invalidateQueries({ queryKey: trpc.financeTokens.list.queryKey() });
  const chosen = usable.find(({ tokenId }) => tokenId === doing.token);
  const mayRevoke = may('token:revoke', null);
  const columns = useMemo(
    () => columnsOf(mayRevoke && !ended ? (token) => void setDoing({ do: 'revoke', token: token.tokenId }) : null),
    [mayRevoke, ended, setDoing],
  );
  return (
    <>
      <PageHead title="Finance tokens">
        {endedCount > 0 && (
          <Segments
            label="Which tokens"
            choices={[
              { value: 'usable', label: `In use (${usable.length})` },
              { value: 'ended', label: `Ended (${endedCount})` },
            ]}
            value={ended ? 'ended' : 'usable'}
            onChange={(value) => void setView({ ended: value === 'ended' })}
          />
        )}
        <ListTools list={tools} />
        {may('token:issue', null) && (
          <Button tone="accent" onClick={() => void setDoing({ do: 'make' })}>
            Create token
          </Button>
        )}
      </PageHead>
      <p className={classes.lead}>
        A program with a token reads reports and exports lists as files. It cannot change anything, and has no more access than
        the person who created it.
      </p>
      <Refusal message={data === undefined && error !== null ? error.message : null} />
      {data === undefined && error === null && <div className={classes.waiting} role="status" aria-label="Loading tokens" />}
      {data !== undefined && rows.length === 0 && (
        <p className={classes.lead}>
          {ended
            ? 'No ended tokens.'
            : 'No tokens yet. Create one, put it in place of fin_… below, and paste the command into a terminal.'}
        </p>
      )}
      {rows.length > 0 && (
        <>
          <DataTable
            label="Finance tokens"
            columns={pickColumns(columns, tools.shown)}
            rows={rows}
            rowKey={(row) => row.tokenId}
            sort={tools.sort}
            onSort={tools.setSort}
          />
          <ListEnd loaded={rows.length} noun={['token', 'tokens']} />
        </>
      )}
      <section className={classes.example}>
        <h2 className={classes.title}>The last thirty days by day</h2>
        <Command text={volumeCommand(publicUrl, { mode, now })} label="The call that asks for volume" />
      </section>
      <section className={classes.example}>
        <h2 className={classes.title}>Every payment, as a file</h2>
        <p className={classes.lead}>
          <code>x-row-count</code> is the number of rows. To continue an interrupted download, send <code>after</code> with the
          first three cells of the last complete row, separated by commas: merchant_id, created_at and the id.{' '}
          <code>columns</code>, a comma-separated list, limits the columns after those three.
        </p>
        <Command text={exportCommand(publicUrl, mode)} label="The request that exports payments" />
      </section>
      {doing.do === 'make' && <CreateDialog publicUrl={publicUrl} onDone={changed} onClose={close} />}
      {doing.do === 'revoke' && chosen !== undefined && <RevokeDialog known={chosen} onDone={changed} onClose={close} />}
    </>
  );
}

function columnsOf(onRevoke: ((token: TokenRow) => void) | null): DataColumn<TokenRow>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      sortable: 'ascending',
      sortValue: ({ name }) => name.toLowerCase(),
      className: classes.name,
      cell: ({ name }) => <span title={name}>{name}</span>,
    },
    { id: 'text', header: 'Token', className: classes.text, cell: ({ lastFour }) => <code>fin_…{lastFour}</code> },
    {
      id: 'reach',
      header: 'Access',
      className: classes.merchants,
      cell: ({ merchantIds, modes }) =>
        `${merchantIds.length} ${merchantIds.length === 1 ? 'merchant' : 'merchants'}, ${modes.join(' and ')}`,
    },
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
      header: 'Ends',
      sortable: 'ascending',
      sortValue: ({ expiresAt, revokedAt }) => revokedAt ?? expiresAt,
      className: classes.ends,
      cell: ({ expiresAt, revokedAt }) =>
        revokedAt === null ? (
          <>
            <span className={classes.narrow}>Ends </span>
            <Moment value={expiresAt} />
          </>
        ) : (
          <Badge tone="over">
            <span>
              Revoked <Moment value={revokedAt} />
            </span>
          </Badge>
        ),
    },
    {
      id: 'actions',
      header: 'Actions',
      unseen: true,
      className: classes.actions,
      cell: (token) =>
        onRevoke !== null && (
          <Button tone="danger" onClick={() => onRevoke(token)} aria-label={`Revoke ${token.name}`}>
            Revoke
          </Button>
        ),
    },
  ];
}

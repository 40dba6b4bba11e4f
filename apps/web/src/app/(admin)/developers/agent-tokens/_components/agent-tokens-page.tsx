'use client';

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import { Badge } from '../../../../../components/badge.tsx';
import { Button } from '../../../../../components/button.tsx';
import { type DataColumn, DataTable } from '../../../../../components/data-table/data-table.tsx';
import { pickColumns } from '../../../../../components/list/list-columns.ts';
import { ListEnd } from '../../../../../components/list/list-end.tsx';
import { ListTools } from '../../../../../components/list/list-tools.tsx';
import { type ListDefinition, useList } from '../../../../../components/list/use-list.ts';
import { Moment } from '../../../../../components/moment.tsx';
import { useNow } from '../../../../../components/now.tsx';
import { PageHead } from '../../../../../components/page-head.tsx';
import { Refusal } from '../../../../../components/refusal.tsx';
import { Segments } from '../../../../../components/segments/segments.tsx';
import { useTRPC } from '../../../../../trpc/client.tsx';
import { type AgentTokenRow, isActive } from './agent-token-row.ts';
import classes from './agent-tokens-page.module.css';
import { ClientSetup } from './client-setup.tsx';

const IssueDialog = dynamic(() => import('./issue-dialog.tsx').then((module) => module.IssueDialog));
const RevokeDialog = dynamic(() => import('./revoke-dialog.tsx').then((module) => module.RevokeDialog));

const TOKEN_LIST: ListDefinition = {
  page: 'agent-tokens',
  columns: [
    { id: 'name', title: 'Name', fixed: true },
    { id: 'owner', title: 'Owner' },
    { id: 'text', title: 'Token' },
    { id: 'reach', title: 'May' },
    { id: 'used', title: 'Last used' },
    { id: 'ends', title: 'Ends' },
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

const doingParsers = { do: parseAsStringLiteral(['issue', 'revoke'] as const), token: parseAsString };
const viewParsers = { ended: parseAsBoolean.withDefault(false) };

/** The tokens with which agents act as staff users: one's own, for owners of the workspace everyone's. */
export function AgentTokensPage({ publicUrl }: { publicUrl: string }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const now = useNow();
  const tools = useList(TOKEN_LIST);
  const [{ ended }, setView] = useQueryStates(viewParsers);
  const [doing, setDoing] = useQueryStates(doingParsers, { history: 'push' });
  const { data: me } = useQuery(trpc.me.queryOptions(undefined, { staleTime: 60_000 }));
  const { data, error } = useQuery(
    trpc.agentTokens.list.queryOptions(undefined, { refetchInterval: 30_000, placeholderData: keepPreviousData }),
  );
  const active = data?.filter((token) => isActive(token, now)) ?? [];
  const rows = ended ? (data ?? []).filter((token) => !isActive(token, now)) : active;
  const endedCount = (data?.length ?? 0) - active.length;
  const close = () => void setDoing({ do: null, token: null });
  const changed = () => void queries.invalidateQueries({ queryKey: trpc.agentTokens.list.queryKey() });
  const chosen = active.find(({ tokenId }) => tokenId === doing.token);
  const staffId = me?.staffId;
  const showsOwner = staffId !== undefined && rows.some((token) => token.staffId !== staffId);
  const columns = useMemo(
    () =>
      columnsOf({
        showsOwner,
        onRevoke: ended ? null : (token) => void setDoing({ do: 'revoke', token: token.tokenId }),
      }),
    [showsOwner, ended, setDoing],
  );
  return (
    <>
      <PageHead title="Agent tokens">
        {endedCount > 0 && (
          <Segments
            label="Which tokens"
            choices={[
              { value: 'active', label: `Active (${active.length})` },
              { value: 'ended', label: `Ended (${endedCount})` },
            ]}
            value={ended ? 'ended' : 'active'}
            onChange={(value) => void setView({ ended: value === 'ended' })}
          />
        )}
        <ListTools list={tools} />
        <Button tone="accent" onClick={() => void setDoing({ do: 'issue' })}>
          Issue a token
        </Button>
      </PageHead>
      <p className={classes.lead}>
        An agent with a token acts as the person who issued it, with their roles at the time of each call. It can read, and save
        drafts of routing rules where the token allows it; it cannot publish, refund or change keys.
      </p>
      <Refusal message={data === undefined && error !== null ? error.message : null} />
      {data === undefined && error === null && <div className={classes.waiting} role="status" aria-label="Loading tokens" />}
      {data !== undefined && rows.length === 0 && (
        <p className={classes.lead}>
          {ended
            ? 'No ended tokens.'
            : 'No token yet: issue one to let an AI agent find payments, explain decisions and read reports through the Model Context Protocol.'}
        </p>
      )}
      {rows.length > 0 && (
        <>
          <DataTable
            label="Agent tokens"
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
        <h2 className={classes.title}>Connect a client</h2>
        <ClientSetup publicUrl={publicUrl} token="agt_…" />
      </section>
      {doing.do === 'issue' && <IssueDialog publicUrl={publicUrl} onDone={changed} onClose={close} />}
      {doing.do === 'revoke' && chosen !== undefined && (
        <RevokeDialog known={chosen} isOwn={chosen.staffId === staffId} onDone={changed} onClose={close} />
      )}
    </>
  );
}

function columnsOf({
  showsOwner,
  onRevoke,
}: {
  showsOwner: boolean;
  onRevoke: ((token: AgentTokenRow) => void) | null;
}): DataColumn<AgentTokenRow>[] {
  const owner: DataColumn<AgentTokenRow> = {
    id: 'owner',
    header: 'Owner',
    sortable: 'ascending',
    sortValue: ({ staffName }) => staffName.toLowerCase(),
    className: classes.owner,
    cell: ({ staffName }) => <span title={staffName}>{staffName}</span>,
  };
  return [
    {
      id: 'name',
      header: 'Name',
      sortable: 'ascending',
      sortValue: ({ name }) => name.toLowerCase(),
      className: classes.name,
      cell: ({ name }) => <span title={name}>{name}</span>,
    },
    ...(showsOwner ? [owner] : []),
    { id: 'text', header: 'Token', className: classes.text, cell: ({ lastFour }) => <code>agt_…{lastFour}</code> },
    {
      id: 'reach',
      header: 'May',
      className: classes.reach,
      cell: ({ maySaveDrafts }) => (maySaveDrafts ? 'Save drafts' : 'Read only'),
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
      sortValue: ({ expiresAt }) => expiresAt,
      className: classes.ends,
      cell: ({ expiresAt }) => (
        <>
          <span className={classes.narrow}>Ends </span>
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
    ...(onRevoke === null ? [] : [actionsColumn(onRevoke)]),
  ];
}

function actionsColumn(onRevoke: (token: AgentTokenRow) => void): DataColumn<AgentTokenRow> {
  return {
    id: 'actions',
    header: 'Actions',
    unseen: true,
    className: classes.actions,
    cell: (token) => (
      <Button tone="danger" onClick={() => onRevoke(token)} aria-label={`Revoke ${token.name}`}>
        Revoke
      </Button>
    ),
  };
}

function State({ token }: { token: AgentTokenRow }) {
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

'use client';

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import { Command } from '#/components/first-payment/first-payment.tsx';
import { ListTools } from '#/components/list/list-tools.tsx';
import { NounTable } from '#/components/list/noun-table.tsx';
import { type ListDefinition, useList } from '#/components/list/use-list.ts';
import { wholeList } from '#/components/list/use-noun-list.ts';
import { BackLink, PageHead } from '#/components/page/page-head.tsx';
import { SegmentedControl } from '#/components/segmented-control/segmented-control.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { useNow } from '#/components/time/now.tsx';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCanAnywhere } from '#/trpc/use-can.ts';
import { ANY_TOKEN, ClientSetup, exportCommand, volumeCommand } from './client-setup.tsx';
import { isActive, type Token, useTokens } from './use-tokens.ts';

const IssueDialog = dynamic(() => import('./token-dialogs.tsx').then((module) => module.IssueDialog));
const RevokeDialog = dynamic(() => import('./token-dialogs.tsx').then((module) => module.RevokeDialog));

const doingParsers = { do: parseAsStringLiteral(['issue', 'revoke'] as const), token: parseAsString };

/** The tokens of programs and agents: one's own, for owners of the workspace everyone's. */
export function TokensPage({ publicUrl }: { publicUrl: string }) {
  const trpc = useTRPC();
  const scope = useScope();
  const queries = useQueryClient();
  const mayReport = useCanAnywhere()('report:export');
  const list = useList(TOKEN_LIST);
  const [doing, setDoing] = useQueryStates(doingParsers, { history: 'push' });
  const query = useQuery(
    trpc.machineTokens.list.queryOptions(undefined, { refetchInterval: 30_000, placeholderData: keepPreviousData }),
  );
  const { active, endedCount, showsEnded, setShowsEnded, rows } = useTokens(query.data);
  const close = () => void setDoing({ do: null, token: null });
  const changed = () => void queries.invalidateQueries({ queryKey: trpc.machineTokens.list.queryKey() });
  const chosen = active.find(({ tokenId }) => tokenId === doing.token);
  const columns = useMemo(
    () => tokenColumns(showsEnded ? null : (token) => void setDoing({ do: 'revoke', token })),
    [showsEnded, setDoing],
  );
  return (
    <>
      <BackLink href={hrefIn(scope, '/developers')}>Developers</BackLink>
      <PageHead title="Machine tokens">
        {endedCount > 0 && (
          <SegmentedControl
            label="Which tokens"
            choices={[
              { value: 'active', label: `Active (${active.length})` },
              { value: 'ended', label: `Ended (${endedCount})` },
            ]}
            value={showsEnded ? 'ended' : 'active'}
            onChange={(value) => void setShowsEnded(value === 'ended')}
          />
        )}
        <ListTools list={list} />
        <Button variant="accent" onClick={() => void setDoing({ do: 'issue' })}>
          Create token
        </Button>
      </PageHead>
      <p className="max-w-[720px] mb-4 text-ink-quiet text-sm">
        A program with a token reads reports and exports lists, or acts as an agent of the person who issued it, as its scopes
        say. It never has more access than that person at the time of each call, and cannot publish, refund or change keys.
      </p>
      <NounTable
        label="Machine tokens"
        name="machine-tokens"
        list={wholeList(query, query.data && rows)}
        tools={list}
        columns={columns}
        rowKey={(row) => row.tokenId}
        noun={['token', 'tokens']}
        empty={<p className="max-w-[720px] mb-4 text-ink-quiet text-sm">{showsEnded ? 'No ended tokens.' : 'No tokens yet.'}</p>}
      />
      <section className="max-w-[880px] mt-8">
        <h2 className="mb-2 text-lg font-semibold">Connect an agent</h2>
        <ClientSetup publicUrl={publicUrl} token={ANY_TOKEN} />
      </section>
      {mayReport && <ReportCommands publicUrl={publicUrl} />}
      {doing.do === 'issue' && <IssueDialog publicUrl={publicUrl} onDone={changed} onClose={close} />}
      {doing.do === 'revoke' && chosen !== undefined && <RevokeDialog token={chosen} onDone={changed} onClose={close} />}
    </>
  );
}

function ReportCommands({ publicUrl }: { publicUrl: string }) {
  const now = useNow();
  const { mode } = useScope();
  return (
    <>
      <section className="max-w-[880px] mt-8">
        <h2 className="mb-2 text-lg font-semibold">The last thirty days by day</h2>
        <Command text={volumeCommand(publicUrl, { mode, now })} label="The call that asks for volume" />
      </section>
      <section className="max-w-[880px] mt-8">
        <h2 className="mb-2 text-lg font-semibold">Every payment, as a file</h2>
        <p className="max-w-[720px] mb-4 text-ink-quiet text-sm">
          <code>x-row-count</code> is the number of rows. To continue an interrupted download, send <code>after</code> with the
          first three cells of the last complete row, separated by commas: merchant_id, created_at and the id.{' '}
          <code>columns</code>, a comma-separated list, limits the columns after those three.
        </p>
        <Command text={exportCommand(publicUrl, mode)} label="The request that exports payments" />
      </section>
    </>
  );
}

/** The orders of the list. */
const TOKEN_LIST: ListDefinition = {
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
function tokenColumns(onRevoke: ((tokenId: string) => void) | null): DataColumn<Token>[] {
  const columns: DataColumn<Token>[] = [
    {
      id: 'name',
      header: 'Name',
      fixed: true,
      sortable: 'ascending',
      sortValue: ({ name }) => name.toLowerCase(),
      look: 'strong',
      cell: ({ name }) => <span title={name}>{name}</span>,
    },
    {
      id: 'reach',
      header: 'Scopes',
      look: 'quiet',
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
      look: 'time',
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
      look: 'time',
      priority: 4,
      cell: ({ expiresAt }) => (
        <>
          <span className="hidden card:inline">Expires </span>
          <Moment value={expiresAt} tense="upcoming" />
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

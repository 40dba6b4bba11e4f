'use client';

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import { lifeColumns, nameColumn, TokenList } from '#/app/(admin)/developers/_components/token-list.tsx';
import { useTokens } from '#/app/(admin)/developers/_components/use-tokens.ts';
import { Button } from '#/components/button/button.tsx';
import type { DataColumn } from '#/components/data-table/data-table.tsx';
import { type ListDefinition, useList } from '#/components/list/use-list.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { AgentTokenRow } from './agent-token-row.ts';
import { ClientSetup } from './client-setup.tsx';

const IssueDialog = dynamic(() => import('./issue-dialog.tsx').then((module) => module.IssueDialog));
const RevokeDialog = dynamic(() => import('./revoke-dialog.tsx').then((module) => module.RevokeDialog));

const TOKEN_LIST: ListDefinition = {
  page: 'agent-tokens',
  columns: [
    { id: 'name', title: 'Name', fixed: true },
    { id: 'owner', title: 'Owner' },
    { id: 'text', title: 'Token' },
    { id: 'reach', title: 'Access' },
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

const doingParsers = { do: parseAsStringLiteral(['issue', 'revoke'] as const), token: parseAsString };

/** The tokens with which agents act as staff users: one's own, for owners of the workspace everyone's. */
export function AgentTokensPage({ publicUrl }: { publicUrl: string }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const tools = useList(TOKEN_LIST);
  const [doing, setDoing] = useQueryStates(doingParsers, { history: 'push' });
  const { data: me } = useQuery(trpc.me.queryOptions(undefined, { staleTime: 60_000 }));
  const { data, error } = useQuery(
    trpc.agentTokens.list.queryOptions(undefined, { refetchInterval: 30_000, placeholderData: keepPreviousData }),
  );
  const view = useTokens(data);
  const close = () => void setDoing({ do: null, token: null });
  const changed = () => void queries.invalidateQueries({ queryKey: trpc.agentTokens.list.queryKey() });
  const chosen = view.active.find(({ tokenId }) => tokenId === doing.token);
  const staffId = me?.staffId;
  const showsOwner = staffId !== undefined && view.rows.some((token) => token.staffId !== staffId);
  const { showsEnded } = view;
  const columns = useMemo(
    () => columnsOf(showsOwner, showsEnded ? null : (token) => void setDoing({ do: 'revoke', token })),
    [showsOwner, showsEnded, setDoing],
  );
  return (
    <>
      <TokenList
        title="Agent tokens"
        about="An agent with a token acts as the person who created it, with their roles at the time of each call. It can read, and save drafts of routing rules where the token allows it; it cannot publish, refund or change keys."
        none="No tokens yet. Create one to let an AI agent find payments, explain decisions and read reports through the Model Context Protocol."
        view={view}
        isLoading={data === undefined && error === null}
        problem={data === undefined && error !== null ? error.message : null}
        list={tools}
        columns={columns}
        create={
          <Button variant="accent" onClick={() => void setDoing({ do: 'issue' })}>
            Create token
          </Button>
        }
      />
      <section className="max-w-[880px] mt-8">
        <h2 className="mb-2 text-lg font-semibold">Connect a client</h2>
        <ClientSetup publicUrl={publicUrl} token="agt_…" />
      </section>
      {doing.do === 'issue' && <IssueDialog publicUrl={publicUrl} onDone={changed} onClose={close} />}
      {doing.do === 'revoke' && chosen !== undefined && (
        <RevokeDialog known={chosen} isOwn={chosen.staffId === staffId} onDone={changed} onClose={close} />
      )}
    </>
  );
}

function columnsOf(showsOwner: boolean, onRevoke: ((tokenId: string) => void) | null): DataColumn<AgentTokenRow>[] {
  const owner: DataColumn<AgentTokenRow> = {
    id: 'owner',
    header: 'Owner',
    sortable: 'ascending',
    sortValue: ({ staffName }) => staffName.toLowerCase(),
    className: 'th:w-[15%]',
    cell: ({ staffName }) => <span title={staffName}>{staffName}</span>,
  };
  return [
    nameColumn,
    ...(showsOwner ? [owner] : []),
    {
      id: 'text',
      header: 'Token',
      className: '@min-[460px]/data-table:@max-[860px]/data-table:hidden th:w-[124px]',
      cell: ({ lastFour }) => <code>agt_…{lastFour}</code>,
    },
    {
      id: 'reach',
      header: 'Access',
      className: 'text-ink-quiet th:w-[108px]',
      cell: ({ maySaveDrafts }) => (maySaveDrafts ? 'Save drafts' : 'Read only'),
    },
    ...lifeColumns(onRevoke),
  ];
}

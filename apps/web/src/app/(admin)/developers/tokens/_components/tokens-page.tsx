'use client';

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import { lifeColumns, nameColumn, TokenList } from '#/app/(admin)/developers/_components/token-list.tsx';
import { useTokens } from '#/app/(admin)/developers/_components/use-tokens.ts';
import { Button } from '#/components/button/button.tsx';
import type { DataColumn } from '#/components/data-table/data-table.tsx';
import { Command } from '#/components/first-payment/first-payment.tsx';
import { type ListDefinition, useList } from '#/components/list/use-list.ts';
import { useNow } from '#/components/time/now.tsx';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useMay } from '#/trpc/use-may.ts';
import { exportCommand, volumeCommand } from '../volume-command.ts';
import type { TokenRow } from './token-row.ts';

const CreateDialog = dynamic(() => import('./create-dialog.tsx').then((module) => module.CreateDialog));
const RevokeDialog = dynamic(() => import('./revoke-dialog.tsx').then((module) => module.RevokeDialog));

const TOKEN_LIST: ListDefinition = {
  page: 'finance-tokens',
  columns: [
    { id: 'name', title: 'Name', fixed: true },
    { id: 'text', title: 'Token' },
    { id: 'reach', title: 'Access' },
    { id: 'used', title: 'Last used' },
    { id: 'ends', title: 'Expires' },
    { id: 'state', title: 'State' },
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

/** The finance tokens with which programs read reports: created and revoked here. */
export function TokensPage({ publicUrl }: { publicUrl: string }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const may = useMay();
  const now = useNow();
  const { mode } = useScope();
  const tools = useList(TOKEN_LIST);
  const [doing, setDoing] = useQueryStates(doingParsers, { history: 'push' });
  const { data, error } = useQuery(
    trpc.financeTokens.list.queryOptions(undefined, { refetchInterval: 30_000, placeholderData: keepPreviousData }),
  );
  const view = useTokens(data);
  const close = () => void setDoing({ do: null, token: null });
  const changed = () => void queries.invalidateQueries({ queryKey: trpc.financeTokens.list.queryKey() });
  const chosen = view.active.find(({ tokenId }) => tokenId === doing.token);
  const mayRevoke = may('token:revoke', null);
  const { showsEnded } = view;
  const columns = useMemo(
    () => columnsOf(mayRevoke && !showsEnded ? (token) => void setDoing({ do: 'revoke', token }) : null),
    [mayRevoke, showsEnded, setDoing],
  );
  return (
    <>
      <TokenList
        title="Finance tokens"
        about="A program with a token reads reports and exports lists as files. It cannot change anything, and has no more access than the person who created it."
        none="No tokens yet. Create one, put it in place of fin_… below, and paste the command into a terminal."
        view={view}
        isLoading={data === undefined && error === null}
        problem={data === undefined && error !== null ? error.message : null}
        list={tools}
        columns={columns}
        create={
          may('token:issue', null) && (
            <Button variant="accent" onClick={() => void setDoing({ do: 'make' })}>
              Create token
            </Button>
          )
        }
      />
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
      {doing.do === 'make' && <CreateDialog publicUrl={publicUrl} onDone={changed} onClose={close} />}
      {doing.do === 'revoke' && chosen !== undefined && <RevokeDialog known={chosen} onDone={changed} onClose={close} />}
    </>
  );
}

function columnsOf(onRevoke: ((tokenId: string) => void) | null): DataColumn<TokenRow>[] {
  return [
    nameColumn,
    {
      id: 'text',
      header: 'Token',
      className: '@min-[460px]/data-table:@max-[860px]/data-table:hidden th:w-[120px]',
      cell: ({ lastFour }) => <code>fin_…{lastFour}</code>,
    },
    {
      id: 'reach',
      header: 'Access',
      className: 'text-ink-quiet th:w-[22%]',
      cell: ({ merchantIds, modes }) =>
        `${merchantIds.length} ${merchantIds.length === 1 ? 'merchant' : 'merchants'}, ${modes.join(' and ')}`,
    },
    ...lifeColumns(onRevoke),
  ];
}

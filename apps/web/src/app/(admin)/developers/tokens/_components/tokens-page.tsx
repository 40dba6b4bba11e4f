'use client';

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import { Button } from '#/components/button/button.tsx';
import { DataTable } from '#/components/data-table/data-table.tsx';
import { Command } from '#/components/first-payment/first-payment.tsx';
import { ListEnd } from '#/components/list/list-end.tsx';
import { ListTools } from '#/components/list/list-tools.tsx';
import { useList } from '#/components/list/use-list.ts';
import { PageHead } from '#/components/page/page-head.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { SegmentedControl } from '#/components/segmented-control/segmented-control.tsx';
import { useNow } from '#/components/time/now.tsx';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import { ANY_TOKEN, exportCommand, volumeCommand } from '../report-commands.ts';
import { ClientSetup } from './client-setup.tsx';
import { TOKEN_LIST, tokenColumns } from './token-columns.tsx';
import { useTokens } from './use-tokens.ts';

const IssueDialog = dynamic(() => import('./issue-dialog.tsx').then((module) => module.IssueDialog));
const RevokeDialog = dynamic(() => import('./revoke-dialog.tsx').then((module) => module.RevokeDialog));

const doingParsers = { do: parseAsStringLiteral(['issue', 'revoke'] as const), token: parseAsString };

/** The tokens of programs and agents: one's own, for owners of the workspace everyone's. */
export function TokensPage({ publicUrl }: { publicUrl: string }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const can = useCan();
  const list = useList(TOKEN_LIST);
  const [doing, setDoing] = useQueryStates(doingParsers, { history: 'push' });
  const { data, error } = useQuery(
    trpc.machineTokens.list.queryOptions(undefined, { refetchInterval: 30_000, placeholderData: keepPreviousData }),
  );
  const { active, endedCount, showsEnded, setShowsEnded, rows } = useTokens(data);
  const close = () => void setDoing({ do: null, token: null });
  const changed = () => void queries.invalidateQueries({ queryKey: trpc.machineTokens.list.queryKey() });
  const chosen = active.find(({ tokenId }) => tokenId === doing.token);
  const columns = useMemo(
    () => tokenColumns(showsEnded ? null : (token) => void setDoing({ do: 'revoke', token })),
    [showsEnded, setDoing],
  );
  return (
    <>
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
      <Refusal message={data === undefined ? (error?.message ?? null) : null} />
      {data === undefined && error === null && (
        <div className="h-[160px] rounded-sm bg-ground-quiet" role="status" aria-label="Loading tokens" />
      )}
      {data !== undefined && rows.length === 0 && (
        <p className="max-w-[720px] mb-4 text-ink-quiet text-sm">{showsEnded ? 'No ended tokens.' : 'No tokens yet.'}</p>
      )}
      {rows.length > 0 && (
        <>
          <DataTable
            label="Machine tokens"
            name="machine-tokens"
            columns={columns}
            rows={rows}
            rowKey={(row) => row.tokenId}
            sort={list.sort}
            onSort={list.setSort}
          />
          <ListEnd loaded={rows.length} noun={['token', 'tokens']} />
        </>
      )}
      <section className="max-w-[880px] mt-8">
        <h2 className="mb-2 text-lg font-semibold">Connect an agent</h2>
        <ClientSetup publicUrl={publicUrl} token={ANY_TOKEN} />
      </section>
      {can('report:export', null) && <ReportCommands publicUrl={publicUrl} />}
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

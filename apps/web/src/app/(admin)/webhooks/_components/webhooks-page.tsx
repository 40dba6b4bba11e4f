'use client';

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { parseAsStringLiteral, useQueryStates } from 'nuqs';
import { type ReactNode, useMemo } from 'react';
import { Button } from '#/components/button/button.tsx';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import { ListTools } from '#/components/list/list-tools.tsx';
import { NounTable } from '#/components/list/noun-table.tsx';
import { StatusTabs } from '#/components/list/status-tabs.tsx';
import { type ListDefinition, type ListState, useList } from '#/components/list/use-list.ts';
import { type Pages, wholeList } from '#/components/list/use-noun-list.ts';
import { PageHead } from '#/components/page/page-head.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { isDisabledAutomatically } from '#/copy/webhooks.ts';
import { hrefIn, type Scope } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCanHere } from '#/trpc/use-can.ts';
import { EndpointBadge, type EndpointRow, shareOf } from './endpoint-badge.tsx';
import { VerifySnippet } from './verify-snippet.tsx';

const CreateDialog = dynamic(() => import('./create-dialog.tsx').then((module) => module.CreateDialog));

const STATES = ['on', 'failing', 'off'] as const;
const STATE_LABELS = { on: 'Active', failing: 'Failing', off: 'Disabled' } as const;
const viewParsers = { state: parseAsStringLiteral(STATES) };
const dialogParser = { do: parseAsStringLiteral(['create'] as const) };

/** Merchants' webhook endpoints and their deliveries. */
export function WebhooksPage() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const scope = useScope();
  const mayAdd = useCanHere()('webhook:configure');
  const tools = useList(ENDPOINT_LIST);
  const [{ state }, setView] = useQueryStates(viewParsers);
  const [doing, setDoing] = useQueryStates(dialogParser, { history: 'push' });
  const query = useQuery(trpc.webhooks.list.queryOptions(scope, { refetchInterval: 10_000, placeholderData: keepPreviousData }));
  const { data } = query;
  const failing =
    data?.filter((one) => (one.enabled && one.failingSince !== null) || isDisabledAutomatically(one.disabledReason)).length ?? 0;
  return (
    <>
      <PageHead title="Webhooks">
        <ListTools list={tools} />
        {mayAdd && (
          <Button variant="accent" onClick={() => void setDoing({ do: 'create' })}>
            Add an endpoint
          </Button>
        )}
      </PageHead>
      {data !== undefined && data.length > 0 && (
        <p className="max-w-[720px] mb-4 text-ink-quiet text-sm">
          Events of {scope.mode} payments are sent here, signed, in the order of each payment, and retried for three days.
          {failing > 0 && (
            <strong className="text-bad-ink font-semibold"> {failing === 1 ? '1 is failing.' : `${failing} are failing.`}</strong>
          )}
        </p>
      )}
      {data !== undefined && data.length > 0 && (
        <StatusTabs
          label="Status"
          tabs={STATES.map((value) => ({ value, label: STATE_LABELS[value], count: countOf(rowsIn(data, value)) }))}
          all={countOf(data)}
          chosen={state === null ? [] : [state]}
          onChange={(next) => void setView({ state: next })}
        />
      )}
      <EndpointsTable
        list={wholeList(query, data && rowsIn(data, state))}
        tools={tools}
        empty={
          state === null ? (
            <NoEndpoints mode={scope.mode} mayAdd={mayAdd} />
          ) : (
            <p className="py-6 text-ink-quiet text-sm">No endpoint is in this state.</p>
          )
        }
      />
      {data !== undefined && <VerifySnippet />}
      {doing.do === 'create' && mayAdd && (
        <CreateDialog
          onDone={() => void queries.invalidateQueries({ queryKey: trpc.webhooks.list.queryKey() })}
          onClose={() => void setDoing({ do: null })}
        />
      )}
    </>
  );
}

function stateOf({ enabled, failingSince }: EndpointRow): (typeof STATES)[number] {
  if (!enabled) return 'off';
  return failingSince === null ? 'on' : 'failing';
}

function rowsIn(rows: readonly EndpointRow[], state: (typeof STATES)[number] | null): readonly EndpointRow[] {
  return state === null ? rows : rows.filter((row) => stateOf(row) === state);
}

function countOf(rows: readonly EndpointRow[]) {
  return { count: rows.length, more: false };
}

/** Shown without endpoints: what an endpoint is for. */
function NoEndpoints({ mode, mayAdd }: { mode: string; mayAdd: boolean }) {
  return (
    <div className="grid gap-1 py-6">
      <h2 className="text-lg font-semibold">No {mode} endpoints yet</h2>
      <p className="max-w-[720px] mb-4 text-ink-quiet text-sm">
        An endpoint is an address at the merchant’s server. Each time a payment succeeds, fails or is refunded, its event record
        is posted there, so that no server has to poll.
      </p>
      <p className="max-w-[720px] pl-3 border-l-3 border-line-strong text-ink-quiet text-sm">
        For example: <code>POST https://shop.example/hooks</code> with <code>payment.succeeded</code>, two seconds after the
        customer paid.
      </p>
      {!mayAdd && <p className="max-w-[720px] mb-4 text-ink-quiet text-sm">Only operators and owners can add one.</p>}
    </div>
  );
}

const ENDPOINT_LIST: ListDefinition = {
  page: 'endpoints',
  orders: [
    { by: 'url', descending: false, title: 'Address' },
    { by: 'share', descending: false, title: 'Success, 24 h' },
    { by: 'waiting', descending: true, title: 'Pending' },
    { by: 'last', descending: true, title: 'Last delivered' },
  ],
  notSaved: ['do'],
};

/** Endpoints with their deliveries of the last day. */
function EndpointsTable(table: { list: Pages<EndpointRow>; tools: ListState; empty: ReactNode }) {
  const trpc = useTRPC();
  const scope = useScope();
  const { data: merchants } = useQuery(trpc.merchants.list.queryOptions(undefined, { staleTime: 60_000 }));
  const columns = useMemo(() => {
    const names = new Map(merchants?.map(({ merchantId, name }) => [merchantId, name]));
    return columnsOf(scope, names);
  }, [scope, merchants]);
  return (
    <NounTable
      label="Webhook endpoints"
      name="endpoints"
      columns={columns}
      rowKey={(row) => row.endpointId}
      noun={['endpoint', 'endpoints']}
      {...table}
    />
  );
}

function columnsOf(scope: Scope, names: ReadonlyMap<string, string>): DataColumn<EndpointRow>[] {
  const merchant: DataColumn<EndpointRow> = {
    id: 'merchant',
    header: 'Merchant',
    optional: scope.merchantId !== null,
    look: 'quiet',
    priority: 3,
    cell: ({ merchantId }) => names.get(merchantId) ?? '–',
  };
  return [
    {
      id: 'url',
      header: 'Address',
      fixed: true,
      fills: true,
      sortable: 'ascending',
      sortValue: ({ url }) => url,
      card: 'line',
      className: 'font-medium th:font-medium card:overflow-hidden card:text-base card:text-ellipsis card:row-[main]',
      cell: ({ url, description, merchantId, endpointId }) => (
        <>
          <Link className="row-link" href={hrefIn({ ...scope, merchantId }, `/webhooks/endpoints/${endpointId}`)} title={url}>
            {url}
          </Link>
          {description !== '' && (
            <span className="ml-2 text-ink-faint font-normal card:block card:ml-0 card:overflow-hidden card:text-sm card:text-ellipsis">
              {description}
            </span>
          )}
        </>
      ),
    },
    {
      id: 'state',
      header: 'Status',
      card: 'second',
      cell: (endpoint) => <EndpointBadge endpoint={endpoint} />,
    },
    merchant,
    {
      id: 'types',
      header: 'Events',
      look: 'quiet',
      priority: 5,
      cell: ({ types }) => (types.length === 0 ? 'All' : types.length === 1 ? types[0] : `${types.length} types`),
    },
    {
      id: 'share',
      header: 'Success, 24 h',
      sortable: 'ascending',
      // Endpoints without traffic come last.
      sortValue: ({ traffic }) => (traffic.attempts === 0 ? 2 : traffic.delivered / traffic.attempts),
      look: 'number',
      card: 'third',
      className: 'card:self-center',
      cell: ({ traffic }) => (
        <span title={`${traffic.delivered} of ${traffic.attempts} attempts succeeded (HTTP 2xx)`}>{shareOf(traffic)}</span>
      ),
    },
    {
      id: 'waiting',
      header: 'Pending',
      sortable: 'descending',
      sortValue: ({ traffic }) => traffic.waiting,
      look: 'number',
      priority: 3,
      cell: ({ traffic }) => traffic.waiting.toLocaleString('en'),
    },
    {
      id: 'last',
      header: 'Last delivered',
      sortable: 'descending',
      sortValue: ({ lastDeliveredAt }) => lastDeliveredAt?.getTime() ?? 0,
      look: 'time',
      priority: 4,
      cell: ({ lastDeliveredAt }) => (lastDeliveredAt === null ? 'never' : <Moment value={lastDeliveredAt} />),
    },
  ];
}

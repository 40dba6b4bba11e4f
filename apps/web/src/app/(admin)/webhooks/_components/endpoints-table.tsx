'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useMemo } from 'react';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import type { ListDefinition, ListState } from '#/components/list/use-list.ts';
import { Moment } from '#/components/time/moment.tsx';
import { hrefIn, type Scope } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { EndpointBadge } from './endpoint-badge.tsx';
import type { EndpointRow } from './endpoint-row.ts';
import { shareOf } from './share-of.ts';

/** The endpoints as a list. */
export const ENDPOINT_LIST: ListDefinition = {
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
export function EndpointsTable({ rows, list }: { rows: readonly EndpointRow[]; list: ListState }) {
  const trpc = useTRPC();
  const scope = useScope();
  const { data: merchants } = useQuery(trpc.merchants.list.queryOptions(undefined, { staleTime: 60_000 }));
  const columns = useMemo(() => {
    const names = new Map(merchants?.map(({ merchantId, name }) => [merchantId, name]));
    return columnsOf(scope, names);
  }, [scope, merchants]);
  return (
    <DataTable
      label="Webhook endpoints"
      name="endpoints"
      columns={columns}
      rows={rows}
      rowKey={(row) => row.endpointId}
      sort={list.sort}
      onSort={list.setSort}
    />
  );
}

function columnsOf(scope: Scope, names: ReadonlyMap<string, string>): DataColumn<EndpointRow>[] {
  const merchant: DataColumn<EndpointRow> = {
    id: 'merchant',
    header: 'Merchant',
    optional: scope.merchantId !== null,
    className: '@max-[680px]/room:hidden td:text-ink-quiet',
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
      className:
        'font-medium th:font-medium card:col-span-full card:overflow-hidden card:text-base card:text-ellipsis card:row-[main]',
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
      className: 'card:area-second',
      cell: (endpoint) => <EndpointBadge endpoint={endpoint} />,
    },
    merchant,
    {
      id: 'types',
      header: 'Events',
      className: '@max-[1000px]/room:hidden td:text-ink-quiet',
      cell: ({ types }) => (types.length === 0 ? 'All' : types.length === 1 ? types[0] : `${types.length} types`),
    },
    {
      id: 'share',
      header: 'Success, 24 h',
      sortable: 'ascending',
      // Endpoints without traffic come last.
      sortValue: ({ traffic }) => (traffic.attempts === 0 ? 2 : traffic.delivered / traffic.attempts),
      className: 'tabular-nums text-end card:area-third card:self-center',
      cell: ({ traffic }) => (
        <span title={`${traffic.delivered} of ${traffic.attempts} attempts succeeded (HTTP 2xx)`}>{shareOf(traffic)}</span>
      ),
    },
    {
      id: 'waiting',
      header: 'Pending',
      sortable: 'descending',
      sortValue: ({ traffic }) => traffic.waiting,
      className: 'tabular-nums text-end @max-[680px]/room:hidden',
      cell: ({ traffic }) => traffic.waiting.toLocaleString('en'),
    },
    {
      id: 'last',
      header: 'Last delivered',
      sortable: 'descending',
      sortValue: ({ lastDeliveredAt }) => lastDeliveredAt?.getTime() ?? 0,
      className: 'tabular-nums td:text-ink-quiet @max-[820px]/room:hidden',
      cell: ({ lastDeliveredAt }) => (lastDeliveredAt === null ? 'never' : <Moment value={lastDeliveredAt} />),
    },
  ];
}

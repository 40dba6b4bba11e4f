'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useMemo } from 'react';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import { pickColumns } from '#/components/list/list-columns.ts';
import type { ListDefinition, ListState } from '#/components/list/use-list.ts';
import { Moment } from '#/components/time/moment.tsx';
import { hrefIn, type Scope } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { EndpointBadge } from './endpoint-badge.tsx';
import type { EndpointRow } from './endpoint-row.ts';
import { shareOf } from './share-of.ts';

const COLUMNS: ListDefinition['columns'] = [
  { id: 'url', title: 'Address', fixed: true },
  { id: 'state', title: 'State' },
  { id: 'types', title: 'Events' },
  { id: 'share', title: 'Success, 24 h' },
  { id: 'waiting', title: 'Pending' },
  { id: 'last', title: 'Last delivered' },
];
const ORDERS: ListDefinition['orders'] = [
  { by: 'url', descending: false },
  { by: 'share', descending: false },
  { by: 'waiting', descending: true },
  { by: 'last', descending: true },
];
const ENDPOINT_LIST: ListDefinition = { page: 'endpoints', columns: COLUMNS, orders: ORDERS, notSaved: ['do'] };
const ENDPOINT_LIST_OF_ALL: ListDefinition = {
  ...ENDPOINT_LIST,
  columns: COLUMNS.toSpliced(2, 0, { id: 'merchant', title: 'Merchant' }),
};

/** Columns of the list of endpoints: the merchant too, where all merchants are shown. */
export function endpointList({ merchantId }: Scope): ListDefinition {
  return merchantId === null ? ENDPOINT_LIST_OF_ALL : ENDPOINT_LIST;
}

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
      columns={pickColumns(columns, list.shown)}
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
    className: 'th:w-[15%] @max-[680px]/data-table:hidden td:text-ink-quiet',
    cell: ({ merchantId }) => names.get(merchantId) ?? '–',
  };
  return [
    {
      id: 'url',
      header: 'Address',
      sortable: 'ascending',
      sortValue: ({ url }) => url,
      className:
        'font-medium th:font-medium card:col-span-full card:overflow-hidden card:text-base card:text-ellipsis card:row-[main]',
      cell: ({ url, description, merchantId, endpointId }) => (
        <>
          <Link className="row-link" href={hrefIn({ ...scope, merchantId }, `/webhooks/endpoints/${endpointId}`)} title={url}>
            {url}
          </Link>
          {description !== '' && <span className="ml-2 text-ink-faint font-normal">{description}</span>}
        </>
      ),
    },
    {
      id: 'state',
      header: 'State',
      className: 'th:w-[176px] card:area-second',
      cell: (endpoint) => <EndpointBadge endpoint={endpoint} />,
    },
    merchant,
    {
      id: 'types',
      header: 'Events',
      className: 'th:w-[15%] @max-[1000px]/data-table:hidden td:text-ink-quiet',
      cell: ({ types }) => (types.length === 0 ? 'All' : types.length === 1 ? types[0] : `${types.length} types`),
    },
    {
      id: 'share',
      header: 'Success, 24 h',
      sortable: 'ascending',
      // Endpoints without traffic come last.
      sortValue: ({ traffic }) => (traffic.attempts === 0 ? 2 : traffic.delivered / traffic.attempts),
      className: 'tabular-nums text-end th:w-[112px] card:area-third card:self-center',
      cell: ({ traffic }) => (
        <span title={`${traffic.delivered} of ${traffic.attempts} attempts were answered 2xx`}>{shareOf(traffic)}</span>
      ),
    },
    {
      id: 'waiting',
      header: 'Pending',
      sortable: 'descending',
      sortValue: ({ traffic }) => traffic.waiting,
      className: 'tabular-nums text-end th:w-[112px] @max-[680px]/data-table:hidden',
      cell: ({ traffic }) => traffic.waiting.toLocaleString('en'),
    },
    {
      id: 'last',
      header: 'Last delivered',
      sortable: 'descending',
      sortValue: ({ lastDeliveredAt }) => lastDeliveredAt?.getTime() ?? 0,
      className: 'tabular-nums text-end th:w-[120px] td:text-ink-quiet @max-[820px]/data-table:hidden',
      cell: ({ lastDeliveredAt }) => (lastDeliveredAt === null ? 'never' : <Moment value={lastDeliveredAt} />),
    },
  ];
}

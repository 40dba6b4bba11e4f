'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useMemo } from 'react';
import { type DataColumn, DataTable } from '../../../../components/data-table/data-table.tsx';
import { Moment } from '../../../../components/moment.tsx';
import { hrefIn, type Scope } from '../../../../scope/scope.ts';
import { useScope } from '../../../../scope/use-scope.ts';
import { useTRPC } from '../../../../trpc/client.tsx';
import { EndpointBadge } from './endpoint-badge.tsx';
import type { EndpointRow } from './endpoint-row.ts';
import { shareOf } from './share-of.ts';
import classes from './webhooks-page.module.css';

/** Endpoints with their deliveries of the last day. */
export function EndpointsTable({ rows }: { rows: readonly EndpointRow[] }) {
  const trpc = useTRPC();
  const scope = useScope();
  const { data: merchants } = useQuery(trpc.merchants.list.queryOptions(undefined, { staleTime: 60_000 }));
  const columns = useMemo(() => {
    const names = new Map(merchants?.map(({ merchantId, name }) => [merchantId, name]));
    return columnsOf(scope, names);
  }, [scope, merchants]);
  return <DataTable label="Webhook endpoints" columns={columns} rows={rows} rowKey={(row) => row.endpointId} />;
}

function columnsOf(scope: Scope, names: ReadonlyMap<string, string>): DataColumn<EndpointRow>[] {
  const merchant: DataColumn<EndpointRow> = {
    id: 'merchant',
    header: 'Merchant',
    className: classes.merchant,
    cell: ({ merchantId }) => names.get(merchantId) ?? '–',
  };
  return [
    {
      id: 'url',
      header: 'Address',
      className: classes.url,
      cell: ({ url, description, merchantId, endpointId }) => (
        <>
          <Link className={classes.link} href={hrefIn({ ...scope, merchantId }, `/webhooks/endpoints/${endpointId}`)} title={url}>
            {url}
          </Link>
          {description !== '' && <span className={classes.about}>{description}</span>}
        </>
      ),
    },
    { id: 'state', header: 'State', className: classes.state, cell: (endpoint) => <EndpointBadge endpoint={endpoint} /> },
    ...(scope.merchantId === null ? [merchant] : []),
    {
      id: 'types',
      header: 'Events',
      className: classes.types,
      cell: ({ types }) => (types.length === 0 ? 'All' : types.length === 1 ? types[0] : `${types.length} types`),
    },
    {
      id: 'share',
      header: 'Success, 24 h',
      className: classes.share,
      cell: ({ traffic }) => (
        <span title={`${traffic.delivered} of ${traffic.attempts} tries were answered 2xx`}>{shareOf(traffic)}</span>
      ),
    },
    {
      id: 'waiting',
      header: 'Waiting',
      className: classes.waitingCount,
      cell: ({ traffic }) => traffic.waiting.toLocaleString('en'),
    },
    {
      id: 'last',
      header: 'Last delivered',
      className: classes.last,
      cell: ({ lastDeliveredAt }) => (lastDeliveredAt === null ? 'never' : <Moment value={lastDeliveredAt} />),
    },
  ];
}

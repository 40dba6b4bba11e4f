'use client';

import { type ReactNode, useMemo } from 'react';
import { Badge } from '#/components/badge/badge.tsx';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import { NounTable } from '#/components/list/noun-table.tsx';
import type { Pages } from '#/components/list/use-noun-list.ts';
import { type ApiRequest, describeStatus } from '#/copy/requests.ts';
import { useScope } from '#/scope/use-scope.ts';

/** Requests, newest first. */
export function RequestsTable({
  list,
  note,
  openId,
  onOpen,
  empty,
}: {
  list: Pages<ApiRequest>;
  note: string | undefined;
  openId: string | null;
  onOpen: (id: string) => void;
  /** Shown while there is none. */
  empty: ReactNode;
}) {
  const { merchantId } = useScope();
  const columns = useMemo(() => columnsOf(merchantId === null, onOpen), [merchantId, onOpen]);
  return (
    <NounTable
      label="Requests"
      name="requests"
      columns={columns}
      list={list}
      rowKey={({ apiRequestId }) => apiRequestId}
      openKey={openId}
      noun={['request', 'requests']}
      note={list.hasMore ? undefined : note}
      empty={empty}
    />
  );
}

function columnsOf(withMerchants: boolean, onOpen: (id: string) => void): DataColumn<ApiRequest>[] {
  const columns: DataColumn<ApiRequest>[] = [
    {
      id: 'request',
      header: 'Request',
      fixed: true,
      fills: true,
      card: 'main',
      className: 'wrap-anywhere',
      cell: ({ apiRequestId, method, path }) => (
        <button
          type="button"
          className="row-link max-w-full truncate card:whitespace-normal font-medium text-start"
          title={`${method} ${path}`}
          data-request={apiRequestId}
          onClick={() => onOpen(apiRequestId)}
        >
          {method} {path}
        </button>
      ),
    },
    {
      id: 'status',
      header: 'Status',
      card: 'second',
      cell: ({ status }) => <RequestBadge status={status} />,
    },
    {
      id: 'duration',
      header: 'Duration, ms',
      look: 'number',
      priority: 2,
      card: 'hidden',
      cell: ({ durationMs }) => durationMs.toLocaleString('en'),
    },
    {
      id: 'key',
      header: 'Key',
      look: 'quiet',
      priority: 3,
      cell: ({ keyName }) => keyName ?? '–',
    },
    {
      id: 'id',
      header: 'Request ID',
      look: 'id',
      priority: 4,
      cell: ({ requestId }) => <span title={requestId}>…{requestId.slice(-12)}</span>,
    },
    {
      id: 'time',
      header: 'Time',
      card: 'aside',
      moment: ({ endedAt }) => endedAt,
    },
  ];
  const merchant: DataColumn<ApiRequest> = {
    id: 'merchant',
    header: 'Merchant',
    look: 'quiet',
    priority: 2,
    cell: ({ merchantName }) => merchantName,
  };
  return withMerchants ? columns.toSpliced(3, 0, merchant) : columns;
}

/** The status of a response, with its meaning on hover. */
export function RequestBadge({ status }: Pick<ApiRequest, 'status'>) {
  const { word, tone, meaning } = describeStatus(status);
  return (
    <Badge tone={tone} title={meaning}>
      {word}
    </Badge>
  );
}

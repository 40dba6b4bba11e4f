'use client';

import { useMemo } from 'react';
import { Badge } from '#/components/badge/badge.tsx';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { type ApiRequest, describeStatus } from '#/copy/requests.ts';
import { useScope } from '#/scope/use-scope.ts';

/** Requests, newest first. */
export function RequestsTable({
  rows,
  openId,
  onOpen,
  onNearEnd,
}: {
  rows: readonly ApiRequest[];
  openId: string | null;
  onOpen: (id: string) => void;
  onNearEnd: () => void;
}) {
  const { merchantId } = useScope();
  const columns = useMemo(() => columnsOf(merchantId === null, onOpen), [merchantId, onOpen]);
  return (
    <DataTable
      label="Requests"
      name="requests"
      columns={columns}
      rows={rows}
      rowKey={({ apiRequestId }) => apiRequestId}
      openKey={openId}
      onNearEnd={onNearEnd}
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
      className: 'card:area-main wrap-anywhere',
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
      className: 'card:area-second',
      cell: ({ status }) => <RequestBadge status={status} />,
    },
    {
      id: 'duration',
      header: 'Duration, ms',
      className: 'tabular-nums text-end card:hidden @max-[560px]/room:hidden',
      cell: ({ durationMs }) => durationMs.toLocaleString('en'),
    },
    {
      id: 'key',
      header: 'Key',
      className: 'td:text-ink-quiet @max-[780px]/room:hidden',
      cell: ({ keyName }) => keyName ?? '–',
    },
    {
      id: 'id',
      header: 'Request ID',
      className: 'font-mono text-xs th:[font-family:inherit] td:text-ink-quiet @max-[900px]/room:hidden',
      cell: ({ requestId }) => <span title={requestId}>…{requestId.slice(-12)}</span>,
    },
    {
      id: 'time',
      header: 'Time',
      className: 'tabular-nums td:text-ink-quiet card:area-aside card:text-end',
      cell: ({ endedAt }) => <Moment value={endedAt} />,
    },
  ];
  const merchant: DataColumn<ApiRequest> = {
    id: 'merchant',
    header: 'Merchant',
    className: 'td:text-ink-quiet @max-[640px]/room:hidden',
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

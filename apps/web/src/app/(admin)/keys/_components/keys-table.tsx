'use client';

import { useMemo } from 'react';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import type { ListDefinition, ListState } from '#/components/list/use-list.ts';
import { Moment } from '#/components/time/moment.tsx';
import type { KeyRow } from './key-row.ts';
import { describeRestrictions } from './key-scopes.ts';

/** The keys as a list. */
export const KEY_LIST: ListDefinition = {
  page: 'keys',
  orders: [
    { by: 'made', descending: true, title: 'Created' },
    { by: 'name', descending: false },
    { by: 'used', descending: true, title: 'Last used' },
    { by: 'requests', descending: true, title: 'Requests, 7 days' },
  ],
  notSaved: ['do', 'key'],
};

type KeyAction = ((key: KeyRow) => void) | null;

/** API keys with their use. */
export function KeysTable({
  rows,
  list,
  onChange,
  onRotate,
  onRevoke,
}: {
  rows: readonly KeyRow[];
  list: ListState;
  onChange: KeyAction;
  onRotate: KeyAction;
  onRevoke: KeyAction;
}) {
  const columns = useMemo(() => columnsOf(onChange, onRotate, onRevoke), [onChange, onRotate, onRevoke]);
  return (
    <DataTable
      label="API keys"
      name="keys"
      columns={columns}
      rows={rows}
      rowKey={(row) => row.keyId}
      sort={list.sort}
      onSort={list.setSort}
    />
  );
}

function columnsOf(onChange: KeyAction, onRotate: KeyAction, onRevoke: KeyAction): DataColumn<KeyRow>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      fixed: true,
      sortable: 'ascending',
      sortValue: ({ name }) => name.toLowerCase(),
      className: 'font-medium card:area-main card:wrap-anywhere card:text-base card:whitespace-normal',
      cell: nameCell,
    },
    {
      id: 'text',
      header: 'Key',
      className: '@max-[900px]/room:hidden',
      cell: (key) => <span className="text-ink-quiet font-mono text-xs">{shortKey(key)}</span>,
    },
    { id: 'state', header: 'Status', className: 'card:area-aside', cell: stateCell },
    {
      id: 'used',
      header: 'Last used',
      sortable: 'descending',
      sortValue: ({ lastUsedAt }) => lastUsedAt,
      className: 'tabular-nums @max-[680px]/room:hidden card:block card:area-second card:self-center td:text-ink-quiet',
      cell: ({ lastUsedAt }) => (
        <>
          {/* Rows shown as cards have no header that names the column. */}
          <span className="hidden card:inline">Used </span>
          {lastUsedAt === null ? 'never' : <Moment value={lastUsedAt} />}
        </>
      ),
    },
    {
      id: 'requests',
      header: 'Requests, 7 days',
      sortable: 'descending',
      sortValue: ({ requestsInWeek }) => requestsInWeek,
      className: 'tabular-nums text-end @max-[540px]/room:hidden',
      cell: ({ requestsInWeek }) => requestsInWeek.toLocaleString('en'),
    },
    {
      id: 'made',
      header: 'Created',
      sortable: 'descending',
      sortValue: ({ createdAt }) => createdAt,
      className: 'tabular-nums @max-[1060px]/room:hidden td:text-ink-quiet',
      cell: ({ createdAt }) => <Moment value={createdAt} />,
    },
    {
      id: 'actions',
      header: 'Actions',
      fixed: true,
      unseen: true,
      className: 'td:text-end card:[grid-area:3_/_1_/_auto_/_-1] card:mt-1',
      cell: (key) =>
        (key.state === 'active' || key.state === 'expiring') && (
          <span className="inline-flex gap-1.5">
            {onChange !== null && (
              <Button onClick={() => onChange(key)} aria-label={`Change ${key.name}`}>
                Change
              </Button>
            )}
            {onRotate !== null && (
              <Button onClick={() => onRotate(key)} aria-label={`Rotate ${key.name}`}>
                Rotate
              </Button>
            )}
            {onRevoke !== null && (
              <Button variant="danger" onClick={() => onRevoke(key)} aria-label={`Revoke ${key.name}`}>
                Revoke
              </Button>
            )}
          </span>
        ),
    },
  ];
}

/** The public part of a key, which identifies it in a configuration. */
export function shortKey({ mode, publicId, lastFour }: Pick<KeyRow, 'mode' | 'publicId' | 'lastFour'>): string {
  return `sk_${mode}_${publicId}_…${lastFour}`;
}

/** The name, and what the key is limited to. */
function nameCell(key: KeyRow) {
  const limits = describeRestrictions(key);
  return (
    <>
      <span title={key.name}>{key.name}</span>
      {limits !== null && (
        <span
          className="block overflow-hidden text-ink-quiet text-xs font-normal text-ellipsis"
          title={[...key.scopes, ...key.allowedAddresses].join(', ')}
        >
          {limits}
        </span>
      )}
    </>
  );
}

function stateCell({ state, expiresAt, revokedAt }: KeyRow) {
  switch (state) {
    case 'active':
      return <Badge tone="good">Active</Badge>;
    case 'expiring':
      return (
        <Badge tone="wait">
          <span>Ends {expiresAt !== null && <Moment value={expiresAt} />}</span>
        </Badge>
      );
    case 'expired':
      return (
        <Badge tone="over">
          <span>Expired {expiresAt !== null && <Moment value={expiresAt} />}</span>
        </Badge>
      );
    case 'revoked':
      return (
        <Badge tone="over">
          <span>Revoked {revokedAt !== null && <Moment value={revokedAt} />}</span>
        </Badge>
      );
    default:
      return state satisfies never;
  }
}

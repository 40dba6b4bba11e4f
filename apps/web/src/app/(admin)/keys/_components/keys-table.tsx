'use client';

import { useMemo } from 'react';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import type { Choice } from '#/components/field/field.tsx';
import type { ListDefinition, ListState } from '#/components/list/use-list.ts';
import { Moment } from '#/components/time/moment.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';

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

/** Scopes of a key, in the order in which they are offered. */
export const KEY_SCOPES = [
  { value: 'payments:write', label: 'Start and verify payments (payments:write)' },
  { value: 'payments:read', label: 'Read payments (payments:read)' },
  { value: 'refunds:write', label: 'Request refunds (refunds:write)' },
  { value: 'refunds:read', label: 'Read refunds (refunds:read)' },
  { value: 'events:read', label: 'Read events (events:read)' },
  { value: 'settlements:read', label: 'Read settlements (settlements:read)' },
  { value: 'rules:read', label: 'Read and check routing rules (rules:read)' },
  { value: 'rules:write', label: 'Save routing rules as drafts (rules:write)' },
] as const satisfies readonly Choice<string>[];
type KeyScope = (typeof KEY_SCOPES)[number]['value'];

/** The scopes of a listed key. */
export function scopesOf({ scopes }: Pick<KeyRow, 'scopes'>): KeyScope[] {
  return KEY_SCOPES.map(({ value }) => value).filter((value) => scopes.includes(value));
}

/** Restrictions of a key: `payments:read, from 2 networks`; null for a key without limits. */
export function describeRestrictions({ scopes, allowedAddresses }: Pick<KeyRow, 'scopes' | 'allowedAddresses'>): string | null {
  const [only, ...others] = allowedAddresses;
  const from = others.length === 0 ? only : `${allowedAddresses.length} networks`;
  const parts = [...scopes, ...(from === undefined ? [] : [`from ${from}`])];
  return parts.length === 0 ? null : parts.join(', ');
}

/** An API key, as the server lists it. */
export type KeyRow = RouterOutputs['keys']['list'][number];

/** True if requests with a key are answered. */
export function isUsable({ state }: Pick<KeyRow, 'state'>): boolean {
  return state === 'active' || state === 'expiring';
}

/** How many keys go on working without this one, which may have ended meanwhile. */
export function countOthers(keys: readonly Pick<KeyRow, 'keyId' | 'state'>[], keyId: string): number {
  return keys.filter((key) => isUsable(key) && key.keyId !== keyId).length;
}

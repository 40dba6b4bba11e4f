'use client';

import { type ReactNode, useMemo } from 'react';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import type { Choice } from '#/components/field/field.tsx';
import { NounTable } from '#/components/list/noun-table.tsx';
import type { ListDefinition, ListState } from '#/components/list/use-list.ts';
import type { Pages } from '#/components/list/use-noun-list.ts';
import { Moment } from '#/components/time/moment.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';

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
  onChange,
  onRotate,
  onRevoke,
  ...table
}: {
  list: Pages<KeyRow>;
  tools: ListState;
  /** Shown while there is none. */
  empty: ReactNode;
  onChange: KeyAction;
  onRotate: KeyAction;
  onRevoke: KeyAction;
}) {
  const columns = useMemo(() => columnsOf(onChange, onRotate, onRevoke), [onChange, onRotate, onRevoke]);
  return (
    <NounTable label="API keys" name="keys" columns={columns} rowKey={(row) => row.keyId} noun={['key', 'keys']} {...table} />
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
      card: 'main',
      className: 'font-medium card:wrap-anywhere card:whitespace-normal',
      cell: nameCell,
    },
    {
      id: 'text',
      header: 'Key',
      priority: 4,
      cell: (key) => <span className="text-ink-quiet font-mono text-xs">{shortKey(key)}</span>,
    },
    { id: 'state', header: 'Status', card: 'aside', cell: stateCell },
    {
      id: 'used',
      header: 'Last used',
      sortable: 'descending',
      sortValue: ({ lastUsedAt }) => lastUsedAt,
      look: 'time',
      priority: 3,
      card: 'second',
      className: 'card:block card:self-center',
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
      look: 'number',
      priority: 2,
      cell: ({ requestsInWeek }) => requestsInWeek.toLocaleString('en'),
    },
    {
      id: 'made',
      header: 'Created',
      sortable: 'descending',
      sortValue: ({ createdAt }) => createdAt,
      look: 'time',
      priority: 5,
      moment: ({ createdAt }) => createdAt,
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
  return (
    <>
      <span title={key.name}>{key.name}</span>
      <span
        className="block overflow-hidden text-ink-quiet text-xs font-normal text-ellipsis"
        title={[...key.scopes, ...key.allowedAddresses].join(', ')}
      >
        {describeRestrictions(key)}
      </span>
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
          <span>Ends {expiresAt !== null && <Moment value={expiresAt} tense="upcoming" />}</span>
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

/** The only scope of a key that may do everything but work with routing rules. */
export const FULL_ACCESS = 'full_access';

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
export function scopesOf({ scopes }: Pick<KeyRow, 'scopes'>): (KeyScope | typeof FULL_ACCESS)[] {
  if (scopes.includes(FULL_ACCESS)) return [FULL_ACCESS];
  return KEY_SCOPES.map(({ value }) => value).filter((value) => scopes.includes(value));
}

/** Access of a key: `Full access`, `Restricted: payments:read, from 2 networks`. */
export function describeRestrictions({ scopes, allowedAddresses }: Pick<KeyRow, 'scopes' | 'allowedAddresses'>): string {
  const [only, ...others] = allowedAddresses;
  const from = others.length === 0 ? only : `${allowedAddresses.length} networks`;
  const access = scopes.includes(FULL_ACCESS) ? 'Full access' : `Restricted: ${scopes.join(', ') || 'nothing'}`;
  return from === undefined ? access : `${access}, from ${from}`;
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

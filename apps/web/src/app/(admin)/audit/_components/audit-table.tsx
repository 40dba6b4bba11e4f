'use client';

import { useMemo } from 'react';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import { pickColumns } from '#/components/list/list-columns.ts';
import type { ListDefinition, ListState } from '#/components/list/use-list.ts';
import { Moment } from '#/components/time/moment.tsx';
import { describeAction, describeKind, describeMerchant } from '#/copy/audit.ts';
import { AUDIT_ORDERS } from '../filters.ts';
import classes from './audit-table.module.css';
import type { AuditEntry } from './use-audit.ts';

/** The log as a list with columns to choose. */
export const AUDIT_LIST: ListDefinition = {
  page: 'audit',
  columns: [
    { id: 'what', title: 'What', fixed: true },
    { id: 'who', title: 'Who' },
    { id: 'object', title: 'Object' },
    { id: 'of', title: 'Merchant' },
    { id: 'when', title: 'When' },
  ],
  orders: AUDIT_ORDERS,
  notSaved: ['entry'],
};

/** The entries, in the order of the list. */
export function AuditTable({
  rows,
  list,
  openId,
  onOpen,
  onNearEnd,
}: {
  rows: readonly AuditEntry[];
  list: ListState;
  openId: string | null;
  onOpen: (entryId: string) => void;
  onNearEnd: () => void;
}) {
  const columns = useMemo(
    (): DataColumn<AuditEntry>[] => [
      {
        id: 'what',
        header: 'What',
        className: 'card:area-main th:w-auto',
        cell: ({ entryId, action }) => (
          <button type="button" className="row-link font-medium text-start" data-entry={entryId} onClick={() => onOpen(entryId)}>
            {describeAction(action)}
          </button>
        ),
      },
      {
        id: 'who',
        header: 'Who',
        className: 'card:area-second th:w-[20%]',
        cell: ({ actor, actorName }) => <span title={actor}>{actorName}</span>,
      },
      {
        id: 'object',
        header: 'Object',
        className: classes.object,
        cell: ({ objectType, objectId, objectName }) => (
          <span title={objectId}>
            {describeKind(objectType)} {objectName === null ? <code>{objectId.slice(-6)}</code> : <strong>{objectName}</strong>}
          </span>
        ),
      },
      {
        id: 'of',
        header: 'Merchant',
        className: 'td:text-ink-quiet @max-[759px]/data-table:hidden th:w-[16%]',
        cell: ({ merchantId, merchantName }) => describeMerchant(merchantId, merchantName),
      },
      {
        id: 'when',
        header: 'When',
        sortable: 'descending',
        className: 'td:text-ink-quiet tabular-nums text-end card:area-aside th:w-[120px]',
        cell: ({ createdAt }) => <Moment value={createdAt} />,
      },
    ],
    [onOpen],
  );
  return (
    <DataTable
      label="Audit log"
      columns={pickColumns(columns, list.shown)}
      rows={rows}
      rowKey={({ entryId }) => entryId}
      openKey={openId}
      onNearEnd={onNearEnd}
      sort={list.sort}
      onSort={list.setSort}
    />
  );
}

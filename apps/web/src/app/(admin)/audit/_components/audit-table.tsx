'use client';

import { useMemo } from 'react';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import type { ListDefinition, ListState } from '#/components/list/use-list.ts';
import { Moment } from '#/components/time/moment.tsx';
import { describeAction, describeKind, describeMerchant } from '#/copy/audit.ts';
import { AUDIT_ORDERS } from '../filters.ts';
import classes from './audit-table.module.css';
import type { AuditEntry } from './use-audit.ts';

/** The log as a list. */
export const AUDIT_LIST: ListDefinition = {
  page: 'audit',
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
        header: 'Action',
        fixed: true,
        className: 'card:area-main card:whitespace-nowrap',
        cell: ({ entryId, action }) => (
          <button type="button" className="row-link font-medium text-start" data-entry={entryId} onClick={() => onOpen(entryId)}>
            {describeAction(action)}
          </button>
        ),
      },
      {
        id: 'who',
        header: 'Actor',
        className: 'card:area-second',
        cell: ({ actor, actorName }) => <span title={actor}>{actorName}</span>,
      },
      {
        id: 'object',
        header: 'Object',
        className: classes.object,
        fills: true,
        cell: ({ objectType, objectId, objectName }) => (
          <span title={objectId}>
            {describeKind(objectType)} {objectName === null ? <code>{objectId.slice(-6)}</code> : <strong>{objectName}</strong>}
          </span>
        ),
      },
      {
        id: 'of',
        header: 'Merchant',
        className: 'td:text-ink-quiet @max-[759px]/room:hidden',
        cell: ({ merchantId, merchantName }) => describeMerchant(merchantId, merchantName),
      },
      {
        id: 'when',
        header: 'Time',
        sortable: 'descending',
        className: 'td:text-ink-quiet tabular-nums card:area-aside card:text-end',
        cell: ({ createdAt }) => <Moment value={createdAt} />,
      },
    ],
    [onOpen],
  );
  return (
    <DataTable
      label="Audit log"
      name="audit"
      columns={columns}
      rows={rows}
      rowKey={({ entryId }) => entryId}
      openKey={openId}
      onNearEnd={onNearEnd}
      sort={list.sort}
      onSort={list.setSort}
    />
  );
}

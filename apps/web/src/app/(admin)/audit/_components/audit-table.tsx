'use client';

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type DataColumn, DataTable } from '../../../../components/data-table/data-table.tsx';
import { pickColumns } from '../../../../components/list/list-columns.ts';
import type { ListDefinition } from '../../../../components/list/use-list.ts';
import { Moment } from '../../../../components/moment.tsx';
import { describeAction, describeKind } from '../../../../copy/audit.ts';
import { useTRPC } from '../../../../trpc/client.tsx';
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
  notSaved: ['entry'],
};

/** The entries, newest first. */
export function AuditTable({
  rows,
  shown,
  openId,
  onOpen,
  onNearEnd,
}: {
  rows: readonly AuditEntry[];
  /** Ids of the columns, in order. */
  shown: readonly string[];
  openId: string | null;
  onOpen: (entryId: string) => void;
  onNearEnd: () => void;
}) {
  const merchantName = useMerchantName();
  const columns = useMemo(
    (): DataColumn<AuditEntry>[] => [
      {
        id: 'what',
        header: 'What',
        className: classes.description,
        cell: ({ entryId, action }) => (
          <button type="button" className={classes.open} data-entry={entryId} onClick={() => onOpen(entryId)}>
            {describeAction(action)}
          </button>
        ),
      },
      {
        id: 'who',
        header: 'Who',
        className: classes.identity,
        cell: ({ actor, actorName }) => <span title={actor}>{actorName}</span>,
      },
      {
        id: 'object',
        header: 'Object',
        className: classes.object,
        cell: ({ objectType, objectId }) => (
          <>
            {describeKind(objectType)} <code title={objectId}>{objectId.slice(-6)}</code>
          </>
        ),
      },
      { id: 'of', header: 'Merchant', className: classes.of, cell: ({ merchantId }) => merchantName(merchantId) },
      { id: 'when', header: 'When', className: classes.time, cell: ({ createdAt }) => <Moment value={createdAt} /> },
    ],
    [merchantName, onOpen],
  );
  return (
    <DataTable
      label="Audit log"
      columns={pickColumns(columns, shown)}
      rows={rows}
      rowKey={({ entryId }) => entryId}
      openKey={openId}
      onNearEnd={onNearEnd}
    />
  );
}

/** Names of merchants by their ids; null is the workspace itself. */
export function useMerchantName(): (merchantId: string | null) => string {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.merchants.list.queryOptions(undefined, { staleTime: 60_000 }));
  return useMemo(() => {
    const names = new Map(data?.map(({ merchantId, name }) => [merchantId, name]));
    return (merchantId) => (merchantId === null ? 'Workspace' : (names.get(merchantId) ?? 'Unknown merchant'));
  }, [data]);
}

'use client';

import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { describeSource, inDays, RETENTION_NAMES, type RetentionRow } from '#/copy/retention.ts';
import { groupDecimal } from '#/format/amounts.ts';
import { useCan } from '#/trpc/use-can.ts';
import { ChangeDialog } from './change-dialog.tsx';

/** Every kind of data with its setting, and what the last run removed. */
export function RetentionTable({ merchantId, kinds }: { merchantId: string | null; kinds: readonly RetentionRow[] }) {
  const mayChange = useCan()('retention:change', merchantId);
  const [changing, setChanging] = useState<RetentionRow | null>(null);
  return (
    <>
      <DataTable
        label="Retention settings"
        name="retention"
        columns={columnsOf(mayChange ? setChanging : null)}
        rows={kinds}
        rowKey={({ kind }) => kind}
      />
      {changing !== null && <ChangeDialog merchantId={merchantId} row={changing} onClose={() => setChanging(null)} />}
    </>
  );
}

const NUMBER = 'tabular-nums text-end card:text-start';

/** `onChange` is null for those who may not change how long data is kept. */
function columnsOf(onChange: ((row: RetentionRow) => void) | null): DataColumn<RetentionRow>[] {
  return [
    {
      id: 'data',
      header: 'Data',
      fixed: true,
      wraps: true,
      className: 'card:area-main',
      sortable: 'ascending',
      sortValue: ({ kind }) => RETENTION_NAMES[kind],
      cell: ({ kind }) => <span className="font-medium">{RETENTION_NAMES[kind]}</span>,
    },
    {
      id: 'kept',
      header: 'Kept',
      labelled: true,
      className: NUMBER,
      sortable: 'ascending',
      sortValue: ({ days }) => days,
      cell: ({ days }) => inDays(days),
    },
    { id: 'source', header: 'Set by', labelled: true, cell: describeSource },
    {
      id: 'change',
      header: 'Change',
      labelled: true,
      cell: (row) =>
        onChange !== null && row.minDays < row.maxDays ? (
          <Button aria-label={`Change ${RETENTION_NAMES[row.kind]}`} onClick={() => onChange(row)}>
            Change
          </Button>
        ) : null,
    },
    {
      id: 'run',
      header: 'Last run',
      labelled: true,
      cell: ({ lastRunAt }) => (lastRunAt === null ? 'Not yet' : <Moment value={lastRunAt} />),
    },
    {
      id: 'removed',
      header: 'Removed by last run',
      labelled: true,
      className: NUMBER,
      cell: ({ removedLastRun }) => groupDecimal(BigInt(removedLastRun)),
    },
    {
      id: 'total',
      header: 'Removed in total',
      labelled: true,
      className: NUMBER,
      sortable: 'descending',
      sortValue: ({ removedInAll }) => removedInAll,
      cell: ({ removedInAll }) => groupDecimal(BigInt(removedInAll)),
    },
  ];
}

'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { roles } from '#/components/list/table-roles.ts';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { groupDecimal } from '#/format/amounts.ts';
import { useCan } from '#/trpc/use-can.ts';
import { describeSource, inDays, RETENTION_NAMES, type RetentionRow } from './retention-words.ts';

const ChangeDialog = dynamic(() => import('./retention-dialog.tsx').then((module) => module.ChangeDialog));

const COLUMNS = [
  { title: 'Data' },
  { title: 'Kept', number: true },
  { title: 'Set by' },
  { title: 'Change' },
  { title: 'Last run' },
  { title: 'Removed by last run', number: true },
  { title: 'Removed in total', number: true },
];

/** Every kind of data with its setting, and what the last run removed. */
export function RetentionTable({ merchantId, kinds }: { merchantId: string | null; kinds: readonly RetentionRow[] }) {
  const mayChange = useCan()('retention:change', merchantId);
  const [changing, setChanging] = useState<RetentionRow | null>(null);
  return (
    <>
      <PlainTable label="Retention settings" columns={COLUMNS}>
        <tbody {...roles.group}>
          {kinds.map((row) => (
            <tr key={row.kind} {...roles.row}>
              <td {...roles.cell} className="font-medium">
                {RETENTION_NAMES[row.kind]}
              </td>
              <td {...numberCell('Kept')}>{inDays(row.days)}</td>
              <td {...textCell('Set by')}>{describeSource(row)}</td>
              <td {...textCell('Change')}>
                {mayChange && row.minDays < row.maxDays && (
                  <Button aria-label={`Change ${RETENTION_NAMES[row.kind]}`} onClick={() => setChanging(row)}>
                    Change
                  </Button>
                )}
              </td>
              <td {...textCell('Last run')}>{row.lastRunAt === null ? 'Not yet' : <Moment value={row.lastRunAt} />}</td>
              <td {...numberCell('Removed by last run')}>{groupDecimal(BigInt(row.removedLastRun))}</td>
              <td {...numberCell('Removed in total')}>{groupDecimal(BigInt(row.removedInAll))}</td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      {changing !== null && <ChangeDialog merchantId={merchantId} row={changing} onClose={() => setChanging(null)} />}
    </>
  );
}

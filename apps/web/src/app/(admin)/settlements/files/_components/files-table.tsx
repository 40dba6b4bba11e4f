'use client';

import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { roles } from '#/components/list/table-roles.ts';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { type Scope, scopeFilter } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';

const COLUMNS = [
  { title: 'File' },
  { title: 'Account' },
  { title: 'Rows', number: true },
  { title: 'Settlements', number: true },
  { title: 'Lines', number: true },
  { title: 'Imported by' },
  { title: 'Imported' },
];

/** The files that were taken in, the newest first. */
export function FilesTable({ scope }: { scope: Scope }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.settlements.files.list.queryOptions(scopeFilter(scope)));
  if (data === undefined) return null;
  if (data.length === 0) {
    return (
      <EmptyState title="No file yet">Imported files are listed here, with who imported them and what they contain.</EmptyState>
    );
  }
  return (
    <PlainTable label="Files" columns={COLUMNS}>
      <tbody {...roles.group}>
        {data.map((file) => (
          <tr key={file.fileId} {...roles.row}>
            <td {...textCell('File')} title={`SHA-256 ${file.hash}`}>
              {file.name}
            </td>
            <td {...textCell('Account')}>
              {file.accountLabel} <span className="text-ink-quiet">· {file.merchantName}</span>
            </td>
            <td {...numberCell('Rows')}>{file.rows.toLocaleString('en')}</td>
            <td {...numberCell('Settlements')}>{file.settlements.toLocaleString('en')}</td>
            <td {...numberCell('Lines')}>{file.lines.toLocaleString('en')}</td>
            <td {...textCell('Imported by')}>{file.takenByName ?? '–'}</td>
            <td {...textCell('Imported')}>
              <Moment value={file.takenAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}

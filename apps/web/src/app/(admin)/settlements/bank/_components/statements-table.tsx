'use client';

import { useQuery } from '@tanstack/react-query';
import { roles } from '#/components/list/table-roles.ts';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { type Scope, scopeFilter } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';

const COLUMNS = [
  { title: 'Statement' },
  { title: 'Form' },
  { title: 'New lines', number: true },
  { title: 'Already imported', number: true },
  { title: 'Imported by' },
  { title: 'Imported' },
];

/** The statements that were taken in, the newest first. */
export function StatementsTable({ scope }: { scope: Scope }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.settlements.bank.statements.queryOptions(scopeFilter(scope)));
  if (data === undefined || data.length === 0) return null;
  return (
    <div className="mt-8">
      <h2 className="mb-2 text-base font-semibold">Statements</h2>
      <PlainTable label="Statements" columns={COLUMNS}>
        <tbody {...roles.group}>
          {data.map((statement) => (
            <tr key={statement.statementId} {...roles.row}>
              <td {...textCell('Statement')} title={`SHA-256 ${statement.hash}`}>
                {statement.name}
              </td>
              <td {...textCell('Form')}>{statement.format.toUpperCase()}</td>
              <td {...numberCell('New lines')}>{statement.lines.toLocaleString('en')}</td>
              <td {...numberCell('Already imported')}>{statement.known.toLocaleString('en')}</td>
              <td {...textCell('Imported by')}>{statement.takenByName ?? '–'}</td>
              <td {...textCell('Imported')}>
                <Moment value={statement.takenAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </div>
  );
}

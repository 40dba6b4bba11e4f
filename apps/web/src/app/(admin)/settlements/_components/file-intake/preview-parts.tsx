'use client';

import type { ReactNode } from 'react';
import { roles } from '#/components/list/table-roles.ts';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { Moment } from '#/components/time/moment.tsx';

/** A file's preview: a sentence, the button that takes it in where it may be, and what it holds. */
export function PreviewSection({ summary, action, children }: { summary: ReactNode; action: ReactNode; children: ReactNode }) {
  return (
    <section aria-label="Preview" className="mt-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 mb-3">
        <p className="flex-1 text-sm tabular-nums">{summary}</p>
        {action}
      </div>
      {children}
    </section>
  );
}

/** The sentence of a file that was taken in before, or of which cells cannot be read; null for any other. */
export function refusedSummary(
  noun: string,
  { takenBefore, problemCount }: { readonly takenBefore: Date | null; readonly problemCount: number },
): ReactNode {
  if (takenBefore !== null) {
    return (
      <>
        <strong>This {noun} was already imported</strong>, <Moment value={takenBefore} />. Nothing is left to do.
      </>
    );
  }
  if (problemCount === 0) return null;
  return (
    <>
      <strong>Nothing is imported:</strong> {problemCount === 1 ? '1 cell' : `${problemCount.toLocaleString('en')} cells`} cannot
      be read.
    </>
  );
}

/** The cells that cannot be read, by line and column. */
export function UnreadableCells({
  preview: { problems, problemCount },
}: {
  preview: {
    readonly problems: readonly { readonly line: number; readonly column: string; readonly message: string }[];
    readonly problemCount: number;
  };
}) {
  return (
    <>
      <PlainTable
        label="Cells that cannot be read"
        columns={[{ title: 'Line', number: true }, { title: 'Column' }, { title: 'Reason' }]}
      >
        <tbody {...roles.group}>
          {problems.map(({ line, column, message }) => (
            <tr key={`${line} ${column} ${message}`} {...roles.row}>
              <td {...numberCell('Line')}>{line}</td>
              <td {...textCell('Column')}>{column}</td>
              <td {...textCell('Reason')}>{message}</td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      <MoreRows shown={problems.length} count={problemCount} />
    </>
  );
}

/** The number of rows that a preview leaves out. */
export function MoreRows({ shown, count }: { shown: number; count: number }) {
  if (count <= shown) return null;
  return <p className="mt-2 text-sm text-ink-quiet">{(count - shown).toLocaleString('en')} more are not shown.</p>;
}

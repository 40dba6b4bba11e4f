'use client';

import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { roles } from '#/components/list/table-roles.ts';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { describeLines, describeWarning, type FileWarning, SKIP_REASONS, type SkippedRow } from '#/copy/file-warnings.ts';
import { countLines } from '#/copy/settlements.ts';
import { formatDecimal, formatMoney } from '#/format/amounts.ts';
import type { IntakeProgress } from './use-file-intake.ts';

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

/** The sentence of a file that is stored just so, or of which cells cannot be read; null for any other. */
export function refusedSummary(
  noun: string,
  { storedSince, problemCount }: { readonly storedSince: Date | null; readonly problemCount: number },
): ReactNode {
  if (storedSince !== null) {
    return (
      <>
        <strong>This {noun} was already imported</strong>, <Moment value={storedSince} />. Nothing is left to do.
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

/** How far a file is that is taken in. */
export function IntakeProgressBar({ progress: { stage, done, of } }: { progress: IntakeProgress }) {
  const isKnown = stage === 'storing' && of > 0;
  return (
    <div className="flex-1 grid gap-1 min-w-[200px]">
      <progress className="w-full h-1 accent-accent" aria-label="Importing" {...(isKnown && { value: done, max: of })} />
      <p className="text-ink-quiet text-xs tabular-nums" aria-live="polite">
        {isKnown ? `${done.toLocaleString('en')} of ${countLines(of)} stored` : 'Reading the file…'}
      </p>
    </div>
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

/** What should be known of a file before it is imported; nothing where there is nothing. */
export function FileWarnings({ warnings }: { warnings: readonly FileWarning[] }) {
  if (warnings.length === 0) return null;
  return (
    <section aria-label="Check before importing" className="mb-4">
      <h2 className="mb-1 font-medium text-sm">Check before importing</h2>
      <ul className="grid gap-1 text-sm">
        {warnings.map((warning) => (
          <li key={describeWarning(warning)} className="flex gap-2 items-start">
            <IconAlertTriangle size={16} className="mt-0.5 shrink-0 text-wait-ink" aria-hidden="true" />
            <span>
              {describeWarning(warning)} <span className="text-ink-quiet tabular-nums">{describeLines(warning)}.</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What a preview skips. */
export interface Skipped {
  readonly skipped: readonly SkippedRow[];
  readonly skippedCount: number;
  readonly skippedSums: readonly { readonly currency: string; readonly amount: string }[];
}

/** How many rows are skipped, with the sum of their amounts: `1 row skipped, NGN 300.00.`; empty where none is. */
export function describeSkipped({ skippedCount, skippedSums }: Skipped): string {
  if (skippedCount === 0) return '';
  const sums = skippedSums.map(({ currency, amount }) => `, ${formatMoney(currency, amount)}`).join('');
  return `${skippedCount === 1 ? '1 row' : `${skippedCount.toLocaleString('en')} rows`} skipped${sums}.`;
}

/** The rows that are skipped, each with its reason and amount. */
export function SkippedRows({ preview: { skipped, skippedCount } }: { preview: Skipped }) {
  if (skippedCount === 0) return null;
  return (
    <div className="mt-6">
      <h2 className="mb-2 font-medium text-sm">Skipped rows</h2>
      <PlainTable
        label="Skipped rows"
        columns={[{ title: 'Line', number: true }, { title: 'Text' }, { title: 'Reason' }, { title: 'Amount', number: true }]}
      >
        <tbody {...roles.group}>
          {skipped.map(({ line, text, reason, amount, currency }) => (
            <tr key={line} {...roles.row}>
              <td {...numberCell('Line')}>{line}</td>
              <td {...textCell('Text')}>{text}</td>
              <td {...textCell('Reason')}>{SKIP_REASONS[reason]}</td>
              <td {...numberCell('Amount')}>{amount === null ? '–' : formatDecimal(currency, amount)}</td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      <MoreRows shown={skipped.length} count={skippedCount} />
    </div>
  );
}

/** The number of rows that a preview leaves out. */
export function MoreRows({ shown, count }: { shown: number; count: number }) {
  if (count <= shown) return null;
  return <p className="mt-2 text-sm text-ink-quiet">{(count - shown).toLocaleString('en')} more are not shown.</p>;
}

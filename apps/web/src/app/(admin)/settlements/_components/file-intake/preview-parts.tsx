'use client';

import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { roles } from '#/components/list/table-roles.ts';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { countLines, LINE_LABELS } from '#/copy/settlements.ts';
import { formatDecimal, formatMoney } from '#/format/amounts.ts';
import { formatFullDay } from '#/format/calendar.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import type { IntakeProgress } from './file-intake.tsx';

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

/** Warnings about a file before it is imported; nothing without any. */
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

/** Rows that a preview skips. */
interface Skipped {
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

/** Warnings about a file before it is imported. */
type FileWarning = RouterOutputs['settlements']['files']['preview']['warnings'][number];

/** A row of a file that is not imported. */
type SkippedRow = RouterOutputs['settlements']['files']['preview']['skipped'][number];

/** Why rows of a file are not imported. */
const SKIP_REASONS: Record<SkippedRow['reason'], string> = {
  total: 'The sum of other rows',
  no_transaction: 'No reference, time or day, as other rows have',
  no_amount: 'No amount',
  word: 'Its type is skipped',
  not_booked: 'Not booked by the bank',
};

const KINDS = {
  payment: 'PAYMENT',
  refund: 'REFUND',
  fee: 'FEE',
  chargeback: 'CHARGEBACK',
  adjustment: 'ADJUSTMENT',
  other: 'OTHER',
} as const;

/** A warning as a sentence, without its lines. */
function describeWarning(warning: FileWarning): string {
  const { count } = warning;
  const rows = count === 1 ? '1 row' : `${count.toLocaleString('en')} rows`;
  const are = count === 1 ? 'is' : 'are';
  switch (warning.kind) {
    case 'skipped_differs':
      return `${rows} with an amount ${are} skipped without being the sum of other rows. Check the skipped rows below.`;
    case 'rows_hidden':
      return `${rows} that the spreadsheet hides ${are} imported.`;
    case 'rows_repeated':
      return `${rows} ${are} the same as a row above and imported as well.`;
    case 'fees_negative':
      return `Fees of payments have a minus: ${rows} with one ${are} read as charged, a fee without one as given back.`;
    case 'debits_negative':
      return `Amounts that are marked as debits have a minus too: ${rows} ${are} read as debits.`;
    case 'debits_returned':
      return `${rows} with a debit below 0 ${are} imported as money that came back.`;
    case 'rows_like_totals':
      return `${rows} ${are} imported and may be a total: the amount is the sum of the rows above.`;
    case 'two_amounts':
      return `${rows} ${count === 1 ? 'has' : 'have'} a credit and a debit: both are imported.`;
    case 'days_from_above':
      return `${rows} without a day ${count === 1 ? 'has' : 'have'} the day of the row above.`;
    case 'days_either_way':
      return `${warning.column}: no date says whether the day or the month is first. ${warning.example} is read as ${formatFullDay(warning.day)}.`;
    case 'days_unlikely':
      return `${warning.column}: ${rows} ${count === 1 ? 'has' : 'have'} an unlikely day, such as ${formatFullDay(warning.day)}.`;
    case 'payouts_before_payments':
      return `${rows} ${are} later than the payout: paid on ${formatFullDay(warning.paidOn)}, paid out on ${formatFullDay(warning.settledOn)}.`;
    case 'deductions_add':
      return `${LINE_LABELS[KINDS[warning.lineKind]].many} have no minus: ${rows} ${count === 1 ? 'adds' : 'add'} to the payout. Select “Without a sign” where they are taken off.`;
    case 'digits_doubtful':
      return `${warning.column}: ${rows} ${count === 1 ? 'has' : 'have'} a number of more than 15 digits that ends with 0. A spreadsheet may have replaced its last digits.`;
    default:
      return warning satisfies never;
  }
}

/** The lines of a warning: `Line 4`, `Lines 4, 5 and 120 more`. */
function describeLines({ lines, count }: Pick<FileWarning, 'lines' | 'count'>): string {
  const more = count - lines.length;
  const list = lines.map((line) => line.toLocaleString('en')).join(', ');
  return `${count === 1 ? 'Line' : 'Lines'} ${list}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}`;
}

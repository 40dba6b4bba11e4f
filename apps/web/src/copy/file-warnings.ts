import { formatFullDay } from '../format/calendar.ts';
import type { RouterOutputs } from '../trpc/outputs.ts';
import { LINE_LABELS } from './settlements.ts';

/** What a person should know of a file before it is imported. */
export type FileWarning = RouterOutputs['settlements']['files']['preview']['warnings'][number];

/** A row of a file that is not imported. */
export type SkippedRow = RouterOutputs['settlements']['files']['preview']['skipped'][number];

/** Why rows of a file are not imported. */
export const SKIP_REASONS: Record<SkippedRow['reason'], string> = {
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
export function describeWarning(warning: FileWarning): string {
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
export function describeLines({ lines, count }: Pick<FileWarning, 'lines' | 'count'>): string {
  const more = count - lines.length;
  const list = lines.map((line) => line.toLocaleString('en')).join(', ');
  return `${count === 1 ? 'Line' : 'Lines'} ${list}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}`;
}

import { readCsv } from '@switchyard/runtime/tables';
import type { RefundAmount } from '../../request-refund.ts';

/** A line of a file of refunds that could be read. */
export interface BulkRow {
  readonly line: number;
  /** A payment's id, or the merchant's order id. */
  readonly payment: string;
  readonly amount: RefundAmount;
  readonly reasonCode: string | null;
  readonly reason: string | null;
}

/** A cell of a file that cannot be read. */
export interface UnreadableCell {
  readonly line: number;
  /** The column's name, or its number where it has none. */
  readonly column: string;
  /** `${column} ${message}` reads as a sentence. */
  readonly message: string;
}

/** The rows of a file in its order, or why it is not a file of refunds. */
export type BulkFile =
  | { readonly kind: 'read'; readonly rows: readonly (BulkRow | UnreadableCell)[] }
  | { readonly kind: 'unreadable'; readonly problem: UnreadableCell };

const COLUMNS = ['payment', 'amount', 'reason_code', 'reason'] as const;
type Column = (typeof COLUMNS)[number];
const REQUIRED_COLUMNS = ['payment', 'amount'] as const satisfies readonly Column[];

/** Payments of one file at most. */
export const BULK_ROWS_MAX = 1_000;

const PAYMENT_MAX = 200;
const REASON_MAX = 200;

/**
 * Reads a file of refunds. Its first line names the columns, in any order: `payment` (a payment's id or the merchant's order id), `amount`
 * (whole main units, or `full` for all that is left), and where they are wanted `reason_code` and `reason`.
 */
export async function readBulkFile(text: string): Promise<BulkFile> {
  const csv = await readCsv(text, { rowsMax: BULK_ROWS_MAX + 1 });
  if (csv.kind === 'malformed') {
    const { line, column, message } = csv.problem;
    return { kind: 'unreadable', problem: { line, column: `column ${column}`, message } };
  }
  const [head, ...rows] = csv.rows;
  const names = (head?.cells ?? []).map((cell) => cell.trim().toLowerCase());
  const unknown = names.find((name) => !COLUMNS.some((column) => column === name));
  const problem = (column: string, message: string): BulkFile => {
    return { kind: 'unreadable', problem: { line: head?.line ?? 1, column, message } };
  };
  if (unknown !== undefined)
    return problem(unknown === '' ? 'a column without a name' : unknown, `is none of ${COLUMNS.join(', ')}`);
  const missing = REQUIRED_COLUMNS.find((column) => !names.includes(column));
  if (missing !== undefined) return problem(missing, 'is not among the columns that the first line names');
  if (new Set(names).size < names.length) return problem('a column', 'is there twice');
  if (rows.length === 0) return problem('payment', 'has no rows');
  return { kind: 'read', rows: rows.map(({ line, cells }) => readRow(line, cells, names)) };
}

function readRow(line: number, cells: readonly string[], names: readonly string[]): BulkRow | UnreadableCell {
  const wrong = (column: Column | string, message: string): UnreadableCell => ({ line, column, message });
  if (cells.length > names.length) return wrong(`column ${names.length + 1}`, 'has no name in the first line');
  // A row that was cut off says nothing of its amount, and must not refund all that is left.
  if (names.indexOf('amount') >= cells.length) return wrong('amount', 'is missing: the row has fewer cells than the first line');
  const cell = (column: Column) => cells[names.indexOf(column)]?.trim() ?? '';
  for (const column of COLUMNS) {
    if (/\p{Cc}/u.test(cell(column)) || !cell(column).isWellFormed()) return wrong(column, 'holds control characters');
  }
  const [payment, amount, reasonCode, reason] = [cell('payment'), cell('amount'), cell('reason_code'), cell('reason')];
  if (payment === '') return wrong('payment', 'must not be empty');
  if (payment.length > PAYMENT_MAX) return wrong('payment', `must have at most ${PAYMENT_MAX} characters`);
  const asked = readAmount(amount);
  if (asked === null) return wrong('amount', 'must be a whole number above 0 without separators, or full for all that is left');
  if (reason.length > REASON_MAX) return wrong('reason', `must have at most ${REASON_MAX} characters`);
  return {
    line,
    payment,
    amount: asked,
    reasonCode: reasonCode === '' ? null : reasonCode,
    reason: reason === '' ? null : reason,
  };
}

function readAmount(cell: string): RefundAmount | null {
  if (cell.toLowerCase() === 'full') return 'full';
  return /^0*[1-9]\d{0,12}$/.test(cell) ? BigInt(cell) : null;
}

/** True if a row of a file cannot be read. */
export function isUnreadable(row: BulkRow | UnreadableCell): row is UnreadableCell {
  return 'column' in row;
}

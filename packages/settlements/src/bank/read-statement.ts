import { readTable, type TableProblem } from '@switchyard/runtime/tables';
import { findHeader } from '../files/header.ts';
import { readAmount } from '../files/read-amount.ts';
import type { UnreadableCell } from '../files/read-settlement-file.ts';
import { readDay } from '../files/read-time.ts';
import type { BankMapping } from './mapping.ts';
import { readCamt } from './read-camt.ts';
import { readMt940 } from './read-mt940.ts';
import type { StatementLine } from './statement-line.ts';

/** Bounds of a statement; a month of a busy account fits. */
export const STATEMENT_LIMITS = { bytesMax: 5 * 1_048_576, rowsMax: 20_000 } as const;

const TEXT_MAX = 1_000;

/** The forms of statements. */
export type StatementFormat = 'csv' | 'mt940' | 'camt.053';

/** A statement with its lines, or everything that cannot be read; then it has no lines. */
export interface ReadStatement {
  readonly format: StatementFormat;
  readonly lines: readonly StatementLine[];
  readonly problems: readonly UnreadableCell[];
}

/** The form of a file by how it begins: XML, or tags of SWIFT, else a table. */
export function formatOf(bytes: Uint8Array): StatementFormat {
  const start = new TextDecoder('utf-8').decode(bytes.subarray(0, 4_096));
  if (/^\uFEFF?\s*</.test(start)) return 'camt.053';
  return /(^|\n):20:/.test(start) ? 'mt940' : 'csv';
}

/** Reads a statement: CAMT.053 and MT940 name their account, CSV is read by a mapping and of the account that was entered. */
export async function readStatement(
  bytes: Uint8Array,
  csv: { readonly bankAccount: string; readonly mapping: BankMapping } | null,
): Promise<ReadStatement> {
  const format = formatOf(bytes);
  switch (format) {
    case 'camt.053':
      return checked(format, await readCamt(new TextDecoder('utf-8').decode(bytes)));
    case 'mt940':
      return checked(format, await readMt940(new TextDecoder('utf-8').decode(bytes)));
    case 'csv':
      if (csv === null) return unreadable(format, { line: 1, column: 'The file', message: 'has columns that are not named yet' });
      return readColumns(bytes, csv);
    default:
      return format satisfies never;
  }
}

function checked(format: StatementFormat, lines: readonly StatementLine[] | string): ReadStatement {
  if (typeof lines === 'string') return unreadable(format, { line: 1, column: 'The file', message: lines });
  if (lines.length === 0) return unreadable(format, { line: 1, column: 'The file', message: 'has no lines' });
  if (lines.length > STATEMENT_LIMITS.rowsMax) {
    return unreadable(format, { line: 1, column: 'The file', message: `has more than ${STATEMENT_LIMITS.rowsMax} lines` });
  }
  return { format, lines: lines.map((line) => ({ ...line, text: textOf(line.text) })), problems: [] };
}

function unreadable(format: StatementFormat, problem: UnreadableCell): ReadStatement {
  return { format, lines: [], problems: [problem] };
}

/** One line without control characters and repeated blanks. */
function textOf(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, TEXT_MAX)
    .toWellFormed();
}

async function readColumns(
  bytes: Uint8Array,
  { bankAccount, mapping }: { readonly bankAccount: string; readonly mapping: BankMapping },
): Promise<ReadStatement> {
  const table = await readTable(bytes, STATEMENT_LIMITS);
  if (table.kind === 'malformed') return unreadable('csv', cellOf(table.problem));
  const { columns } = mapping;
  const wanted = Object.values(columns).filter((title) => title !== null);
  const header = findHeader(table.rows, wanted);
  const missing = wanted.find((title) => header?.titles.includes(title) !== true);
  if (header === null || missing !== undefined) {
    return unreadable('csv', { line: 1, column: missing ?? 'The file', message: 'is not among the titles of the columns' });
  }
  const { titles, rows } = header;
  const problems: UnreadableCell[] = [];
  const lines = rows.flatMap(({ line, cells }): StatementLine[] => {
    const cell = (title: string | null) => (title === null ? '' : (cells[titles.indexOf(title)]?.trim() ?? ''));
    const amount = amountOf(cell, mapping);
    const day = cell(columns.bookedOn);
    // Banks write opening and closing balances as rows without a day or an amount.
    if (amount === 'none' || day === '') return [];
    const bookedOn = readDay(day, mapping);
    if (bookedOn === null) problems.push({ line, column: columns.bookedOn, message: `is no day: “${day.slice(0, 40)}”` });
    if (typeof amount !== 'string') problems.push({ line, column: amount.column, message: 'is no amount' });
    if (bookedOn === null || typeof amount !== 'string') return [];
    const text = textOf([cell(columns.text), cell(columns.reference)].join(' '));
    return [{ bankAccount, bookedOn, amount, currency: mapping.currency, text }];
  });
  if (problems.length === 0 && lines.length === 0) problems.push({ line: 1, column: columns.bookedOn, message: 'has no rows' });
  return { format: 'csv', lines: problems.length > 0 ? [] : lines, problems };
}

function cellOf({ line, column, message }: TableProblem): UnreadableCell {
  return { line, column: `Column ${column}`, message };
}

/** The amount of a row; `none` where it has none or is 0, and the column of what is no amount. */
function amountOf(
  cell: (title: string | null) => string,
  { columns: { amount, credit, debit }, decimalMark }: BankMapping,
): string | { readonly column: string } {
  const format = { unit: 'main', decimalMark } as const;
  for (const [title, sign] of [
    [amount, 1],
    [credit, 1],
    [debit, -1],
  ] as const) {
    const text = cell(title);
    if (title === null || text === '' || /^[-–—]$/.test(text)) continue;
    const value = readAmount(text, format);
    if (value === null) return { column: title };
    if (value === '0') continue;
    return sign === 1 ? value : `-${value.replace('-', '')}`;
  }
  return 'none';
}

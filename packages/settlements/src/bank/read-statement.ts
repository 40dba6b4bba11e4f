import { dayText } from '@switchyard/runtime/calendar-days';
import { decodeText } from '@switchyard/runtime/tables';
import { SETTLEMENT_ZONE } from '../calendar.ts';
import { type FileWarning, FileWarnings, PlausibleDays } from '../reading/file-warning.ts';
import type { UnreadableCell } from '../reading/read-settlement-file.ts';
import type { ReadLines, StatementLine } from './mapping.ts';
import { readCamt } from './read-camt.ts';
import { type ColumnsOf, readColumns } from './read-columns.ts';
import { readMt940 } from './read-mt940.ts';

/** Bounds of a statement: 100,000 lines fit, with those above and below them. */
export const STATEMENT_LIMITS = { bytesMax: 24 * 1_048_576, rowsMax: 101_000 } as const;

/** A batch of many transactions names each of their references. */
const TEXT_MAX = 4_000;
/** The forms of statements; `csv` is any file with columns. */
export type StatementFormat = 'csv' | 'mt940' | 'camt.053';

/** A statement with its lines, or everything that cannot be read; then it has no lines. */
export interface ReadStatement extends ReadLines {
  readonly format: StatementFormat;
  /** Warnings to show before the statement is taken in. */
  readonly warnings: readonly FileWarning[];
}

/** The form of a file by how it begins: XML, or tags of SWIFT, else a table. */
export function formatOf(bytes: Uint8Array): StatementFormat {
  const start = decodeText(bytes.subarray(0, 4_096));
  if (/^\uFEFF?\s*</.test(start)) return 'camt.053';
  return /(^|[\n:]):20:/.test(start) ? 'mt940' : 'csv';
}

/**
 * Reads a statement: CAMT.053 and MT940 name their account, a file with columns is read by a mapping and of the account that was entered.
 *
 * @param today by which days are unlikely
 */
export async function readStatement(
  bytes: Uint8Array,
  csv: ColumnsOf | null,
  today: string = dayText(new Date()),
): Promise<ReadStatement> {
  const format = formatOf(bytes);
  switch (format) {
    case 'camt.053':
      return checked(format, await readCamt(xmlOf(bytes), SETTLEMENT_ZONE), today);
    case 'mt940': {
      const text = decodeText(bytes);
      // Before its lines are added up and compared with the balances, which takes long for many more.
      const count = text.match(/^:61:/gm)?.length ?? 0;
      return count > STATEMENT_LIMITS.rowsMax ? tooManyLines(format) : checked(format, readMt940(text), today);
    }
    case 'csv': {
      if (csv === null) return unreadable(format, 'has columns that are not named yet');
      const read = await readColumns(bytes, csv, { rowsMax: STATEMENT_LIMITS.rowsMax, today });
      return { ...read, format, lines: read.lines.map((line) => ({ ...line, text: textOf(line.text) })) };
    }
    default:
      return format satisfies never;
  }
}

/** XML in the encoding that it names. */
export function xmlOf(bytes: Uint8Array): string {
  const [, label] =
    /^\s*<\?xml[^>]*encoding=["']([\w.:-]+)["']/.exec(new TextDecoder('latin1').decode(bytes.subarray(0, 200))) ?? [];
  try {
    return new TextDecoder(label ?? 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodeText(bytes);
  }
}

function checked(format: StatementFormat, read: ReadLines | string, today: string): ReadStatement {
  if (typeof read === 'string') return unreadable(format, read);
  const { skipped, problems } = read;
  if (problems.length > 0) return { format, lines: [], skipped, warnings: [], problems };
  if (read.lines.length === 0) return { ...unreadable(format, 'has no lines'), skipped };
  if (read.lines.length > STATEMENT_LIMITS.rowsMax) {
    return tooManyLines(format);
  }
  const warnings = new FileWarnings();
  const days = new PlausibleDays(warnings, today);
  for (const [at, { bookedOn }] of read.lines.entries())
    days.note({ column: 'Entry', text: bookedOn, day: bookedOn, line: at + 1, kind: 'booked' });
  const lines = read.lines.map((line): StatementLine => ({ ...line, text: textOf(line.text) }));
  return { format, lines, skipped, warnings: warnings.list(), problems };
}

function tooManyLines(format: StatementFormat): ReadStatement {
  return unreadable(format, `has more than ${STATEMENT_LIMITS.rowsMax} lines`);
}

function unreadable(format: StatementFormat, message: string): ReadStatement {
  const problem: UnreadableCell = { line: 1, column: 'The file', message };
  return { format, lines: [], skipped: [], warnings: [], problems: [problem] };
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

import type { TableRow } from '@switchyard/runtime/tables';
import { cellText } from './read-values.ts';

/** The columns of a file, and the rows below their titles. */
export interface TitledTable {
  /** Line of the titles. */
  readonly line: number;
  /** One for each column: as written, with a number where a title is there twice, and `Column 3` where it is empty. */
  readonly titles: readonly string[];
  readonly rows: readonly TableRow[];
}

/** A row that may be that of the titles. */
export interface TitleRow {
  readonly line: number;
  /** Its first texts. */
  readonly text: string;
}

/** Banks write the account and the period above the titles. */
const PREAMBLE_MAX = 40;
/** Rows below the titles that may have more columns than these. */
const SAMPLE_ROWS = 50;
const TITLE_MAX = 190;
const TEXT_MAX = 80;

/**
 * Finds the row of titles: the one of a line where a person has chosen it, else the first that holds all of `wanted`, else the first of those
 * with the most cells that are texts. Null where no row can be one. A chosen line without a title that is wanted is of another file.
 */
export function findHeader(
  rows: readonly TableRow[],
  { wanted = [], line = null }: { readonly wanted?: readonly string[]; readonly line?: number | null } = {},
): TitledTable | null {
  const chosen = line === null ? -1 : rows.findIndex((row) => row.line === line);
  if (chosen >= 0 && holdsAll(titlesAt(rows, chosen), wanted)) return tableBelow(rows, chosen);
  const candidates = rows.slice(0, PREAMBLE_MAX);
  const holding = wanted.length === 0 ? -1 : candidates.findIndex((_, at) => holdsAll(titlesAt(rows, at), wanted));
  if (holding >= 0) return tableBelow(rows, holding);
  const counts = candidates.map(({ cells }) => cells.filter(isTitle).length);
  const most = Math.max(0, ...counts);
  return most === 0 ? null : tableBelow(rows, counts.indexOf(most));
}

/** True if one of the first rows holds all these titles. */
export function hasTitles(rows: readonly TableRow[], wanted: readonly string[]): boolean {
  return rows.slice(0, PREAMBLE_MAX).some((_, at) => holdsAll(titlesAt(rows, at), wanted));
}

/** The rows of which a person can choose the titles. */
export function titleRows(rows: readonly TableRow[]): TitleRow[] {
  return rows.slice(0, PREAMBLE_MAX).map(({ line, cells }) => {
    const text = cells
      .map(cellText)
      .filter((cell) => cell !== '')
      .join(' · ');
    return { line, text: text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX).toWellFormed()}…` : text };
  });
}

function holdsAll(titles: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((title) => titles.includes(title));
}

function tableBelow(rows: readonly TableRow[], at: number): TitledTable {
  return { line: rows[at]?.line ?? 1, titles: titlesAt(rows, at), rows: rows.slice(at + 1) };
}

/** The titles of a row, also of columns that only rows below have. */
function titlesAt(rows: readonly TableRow[], at: number): string[] {
  const cells = rows[at]?.cells ?? [];
  const width = rows.slice(at, at + SAMPLE_ROWS).reduce((most, row) => Math.max(most, usedColumns(row)), 0);
  const seen = new Map<string, number>();
  return Array.from({ length: Math.max(cells.length, width) }, (_, column) => {
    const written = cellText(cells[column] ?? '').replaceAll(/\s+/g, ' ');
    const title = written.slice(0, TITLE_MAX).toWellFormed() || `Column ${column + 1}`;
    const count = (seen.get(title) ?? 0) + 1;
    seen.set(title, count);
    return count === 1 ? title : `${title} (${count})`;
  });
}

function usedColumns({ cells }: TableRow): number {
  return cells.findLastIndex((cell) => cell.trim() !== '') + 1;
}

function isTitle(cell: string): boolean {
  return /\p{L}/u.test(cell) && !/\d{4}/.test(cell);
}

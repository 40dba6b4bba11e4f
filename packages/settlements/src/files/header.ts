import type { TableRow } from '@switchyard/runtime/tables';

/** The columns of a file, and the rows below their titles. */
export interface TitledTable {
  /** One for each column: as written, with a number where a title is there twice, and `Column 3` where it is empty. */
  readonly titles: readonly string[];
  readonly rows: readonly TableRow[];
}

/** Banks write the account and the period above the titles. */
const PREAMBLE_MAX = 40;

/**
 * Finds the row of titles: the first that holds all of `wanted`, else the first of those with the most cells that are texts. Null where no row
 * can be one.
 */
export function findHeader(rows: readonly TableRow[], wanted: readonly string[] = []): TitledTable | null {
  const candidates = rows.slice(0, PREAMBLE_MAX).map((row) => titlesOf(row.cells));
  const holding = wanted.length === 0 ? -1 : candidates.findIndex((titles) => wanted.every((title) => titles.includes(title)));
  const counts = rows.slice(0, PREAMBLE_MAX).map(({ cells }) => cells.filter(isTitle).length);
  const at = holding >= 0 ? holding : counts.indexOf(Math.max(...counts));
  const titles = candidates[at];
  return titles === undefined || (counts[at] ?? 0) === 0 ? null : { titles, rows: rows.slice(at + 1) };
}

function titlesOf(cells: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return cells.map((cell, at) => {
    const title = cell.trim().replaceAll(/\s+/g, ' ').slice(0, 190) || `Column ${at + 1}`;
    const count = (seen.get(title) ?? 0) + 1;
    seen.set(title, count);
    return count === 1 ? title : `${title} (${count})`;
  });
}

function isTitle(cell: string): boolean {
  return /\p{L}/u.test(cell) && !/\d{4}/.test(cell);
}

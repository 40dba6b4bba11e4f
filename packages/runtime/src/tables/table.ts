/** A row of a file with columns. */
export interface TableRow {
  /** Line of the file that it begins on, or number of the row in the sheet; from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A fault of the file itself; nothing of it can be read reliably. */
export interface TableProblem {
  readonly line: number;
  /** From 1: of cells, not of characters. */
  readonly column: number;
  /** `column 2 ${message}` reads as a sentence. */
  readonly message: string;
}

/** The rows of a file without those that are empty, or the first thing that is wrong with its form. */
export type TableOutcome =
  | { readonly kind: 'read'; readonly rows: readonly TableRow[] }
  | { readonly kind: 'malformed'; readonly problem: TableProblem };

/** Bounds of a file. */
export interface TableLimits {
  readonly rowsMax: number;
}

/** A problem of the file as a whole. */
export function malformed(message: string, line = 1, column = 1): TableOutcome {
  return { kind: 'malformed', problem: { line, column, message } };
}

/** The problem of a file with more rows than its limit. */
export function tooManyRows({ rowsMax }: TableLimits, line: number): TableOutcome {
  return malformed(`is beyond the ${rowsMax.toLocaleString('en')} rows that a file may have`, line);
}

/** True if a row holds nothing but blanks. */
export function isEmptyRow(cells: readonly string[]): boolean {
  return cells.length < 2 && (cells[0] ?? '').trim() === '';
}

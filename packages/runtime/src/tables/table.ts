/** A row of a file with columns. */
export interface TableRow {
  /** Line of the file that it begins on, or number of the row in the sheet; from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Further facts about cells, by their place from 0. Only workbooks have notes. */
  readonly notes?: ReadonlyMap<number, CellNote>;
  /** True if the spreadsheet does not show the row. */
  readonly isHidden?: true;
}

/** Facts that a workbook gives about a cell beside its text. */
export interface CellNote {
  /** The cell is a number: a point comes before its decimals, and nothing groups its thousands. */
  readonly isNumber?: true;
  /** The cell is a number of more than 15 digits that ends with zeros: a spreadsheet may have replaced the last digits by them. */
  readonly isShortened?: true;
  /** The value is that of a cell which is merged over several rows, and stands in a row above. */
  readonly isMerged?: true;
  /** The cell holds something that is not its value. `Fee ${problem}` reads as a sentence. */
  readonly problem?: string;
}

/** A sheet of a workbook. */
export interface TableSheet {
  readonly name: string;
  readonly isHidden: boolean;
}

/** The sheet of a workbook that is read. */
export interface SheetChoice {
  /** Its name; without one, the first visible sheet that suits. */
  readonly sheet?: string | null;
  /** True if a sheet with these first rows is wanted; without it, one with a row of titles and a row below. */
  readonly suits?: (rows: readonly TableRow[]) => boolean;
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
  | {
      readonly kind: 'read';
      readonly rows: readonly TableRow[];
      /** The sheets of a workbook in its order; none of any other file. */
      readonly sheets: readonly TableSheet[];
      /** The one that was read; null where the file has no sheets. */
      readonly sheet: string | null;
    }
  | { readonly kind: 'malformed'; readonly problem: TableProblem };

/** Bounds of a file. */
export interface TableLimits {
  readonly rowsMax: number;
}

/** Columns that may be used; a cell without content uses none. */
export const COLUMNS_MAX = 500;
/** Rows times their used columns: a row is stored up to its last cell. */
export const CELLS_MAX = 5_000_000;

/** A problem of the file as a whole. */
export function malformed(message: string, line = 1, column = 1): TableOutcome {
  return { kind: 'malformed', problem: { line, column, message } };
}

/** The problem of a file with more rows than its limit. */
export function tooManyRows({ rowsMax }: TableLimits, line: number): TableOutcome {
  return malformed(`is beyond the ${rowsMax.toLocaleString('en')} rows that a file may have`, line);
}

/** The problem of a row with content beyond the last column. */
export function tooManyColumns(line: number, column: number): TableOutcome {
  return malformed(`is beyond the ${COLUMNS_MAX} columns that a file may have`, line, column);
}

/** The problem of a file whose rows and columns are too many together. */
export function tooManyCells(line: number): TableOutcome {
  return malformed(`is beyond the ${CELLS_MAX.toLocaleString('en')} cells that a file may have`, line);
}

/** True if a row holds nothing but blanks. */
export function isEmptyRow(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}

/** A cell in one line: a line break within a text is a blank. */
export function inOneLine(cell: string): string {
  return /[\t-\r\u0085\u2028\u2029]/.test(cell) ? cell.replaceAll(/ *[\t-\r\u0085\u2028\u2029]+ */g, ' ') : cell;
}

import {
  CELLS_MAX,
  type CellNote,
  COLUMNS_MAX,
  inOneLine,
  type TableLimits,
  type TableOutcome,
  type TableRow,
  tooManyCells,
  tooManyColumns,
  tooManyRows,
} from '../table.ts';
import {
  DAMAGED,
  dateText,
  isTrue,
  readXml,
  unescapeText,
  type Workbook,
  WorkbookError,
  type XmlHandler,
} from './open-workbook.ts';

/** Digits that a spreadsheet keeps of a number. */
const DIGITS = 15;
/** Larger exponents are no amount, day or reference. */
const EXPONENT_MAX = 40;

/** A number of a workbook as a decimal. */
interface NumberText {
  readonly text: string;
  /** True if it has more than 15 digits and zeros from the 16th on, by which a spreadsheet replaces the digits that it does not keep. */
  readonly isShortened: boolean;
}

/**
 * A number of a workbook as an exact decimal without exponent; null where the file has not kept its digits. A whole number keeps each of them,
 * however many: references are numbers to a spreadsheet. A fraction is rounded to 15 digits, because a spreadsheet computes in binary
 * fractions, and shows 985 where its file says 985.0000000000001.
 */
function numberText(written: string): NumberText | null {
  const [, sign = '', whole, fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,4}))?$/i.exec(written.trim()) ?? [];
  if (whole === undefined || whole + fraction === '' || Math.abs(Number(exponent)) > EXPONENT_MAX) return null;
  const decimal = shift(whole + fraction, fraction.length - Number(exponent));
  const [integer = '', decimals = ''] = decimal.split('.');
  const significant = decimal.replace('.', '').replace(/^0+/, '');
  const isNegative = sign === '-' && decimal !== '0';
  const signed = (text: string) => (isNegative ? `-${text}` : text);
  const isShortened = decimals === '' && integer.length > DIGITS && /^0+$/.test(integer.slice(DIGITS));
  if (significant.replace(/0+$/, '').length <= DIGITS) return { text: signed(decimal), isShortened };
  if (decimals === '' && Number(exponent) === 0) return { text: signed(decimal), isShortened };
  if (integer.length > DIGITS) {
    // Seventeen digits with an exponent name one binary number: where it is whole, these are its digits.
    const value = Number(decimal);
    return Number.isSafeInteger(value) ? { text: signed(String(value)), isShortened } : null;
  }
  const rounded = numberText(Number(decimal).toPrecision(DIGITS));
  return rounded === null ? null : { ...rounded, text: signed(rounded.text) };
}

/** Digits with a point before the last `decimals` of them, in the shortest form. */
function shift(digits: string, decimals: number): string {
  const padded = decimals < 0 ? digits.padEnd(digits.length - decimals, '0') : digits.padStart(decimals + 1, '0');
  const point = padded.length - Math.max(0, decimals);
  const whole = padded.slice(0, point).replace(/^0+(?=\d)/, '');
  const fraction = padded.slice(point).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** Merged cells of a sheet that are looked at. */
const MERGES_MAX = 10_000;
const UNCOMPUTED = 'holds a formula that was not computed; open the file in a spreadsheet and save it';
const NUMBER: CellNote = { isNumber: true };

/** The rows of a sheet that are not empty, or the bound that it goes beyond. */
export type ReadSheet =
  | { readonly kind: 'read'; readonly rows: readonly TableRow[] }
  | Extract<TableOutcome, { kind: 'malformed' }>;

/**
 * Reads a sheet row by row, and never more of it than the limits allow. A value that the file does not have is a note on its cell and not an
 * empty one: a formula that was not computed, an error, a number whose digits were lost. Hidden rows are read as others. A cell that is
 * merged over several rows has its value in each of them.
 *
 * @param rowsNeeded stops after so many rows
 */
export async function readSheet(
  document: Uint8Array,
  workbook: Workbook,
  limits: TableLimits,
  rowsNeeded = Number.POSITIVE_INFINITY,
): Promise<ReadSheet> {
  const reader = new SheetReader(workbook, limits, rowsNeeded);
  await readXml(document, reader);
  return reader.excess ?? reader.result();
}

interface RowOfSheet {
  readonly line: number;
  readonly cells: string[];
  notes?: Map<number, CellNote>;
  readonly isHidden: boolean;
}

interface Cell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  isFormula: boolean;
  /** Null while the cell has none. */
  value: string | null;
}

interface Merge {
  readonly column: number;
  readonly from: number;
  readonly to: number;
}

class SheetReader implements XmlHandler {
  excess: Extract<TableOutcome, { kind: 'malformed' }> | null = null;
  private readonly rows: RowOfSheet[] = [];
  private readonly merges: Merge[] = [];
  private readonly workbook: Workbook;
  private readonly limits: TableLimits;
  private readonly rowsNeeded: number;
  private size = 0;
  private line = 0;
  private row: RowOfSheet | null = null;
  private column = -1;
  private cell: Cell | null = null;
  private isReading = false;
  private isValue = false;

  constructor(workbook: Workbook, limits: TableLimits, rowsNeeded: number) {
    this.workbook = workbook;
    this.limits = limits;
    this.rowsNeeded = rowsNeeded;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    switch (name) {
      case 'row':
        this.line = Number(attributes['r'] ?? this.line + 1);
        this.column = -1;
        this.row = { line: this.line, cells: [], isHidden: isTrue(attributes['hidden']) };
        break;
      case 'c':
        this.column = columnOf(attributes['r']) ?? this.column + 1;
        this.cell = {
          column: this.column,
          type: attributes['t'] ?? 'n',
          style: Number(attributes['s'] ?? 0),
          isFormula: false,
          value: null,
        };
        break;
      case 'f':
        if (this.cell !== null) this.cell.isFormula = true;
        break;
      case 'rPh':
        this.isReading = true;
        break;
      case 'v':
      case 't':
        this.isValue = this.cell !== null && !this.isReading;
        // An empty value is one: a formula may have computed an empty text.
        if (this.cell !== null) this.cell.value ??= '';
        break;
      case 'mergeCell':
        this.addMerge(attributes['ref'] ?? '');
        break;
      default:
    }
  }

  text(text: string): void {
    if (this.isValue && this.cell !== null) this.cell.value = (this.cell.value ?? '') + text;
  }

  close(name: string): void {
    switch (name) {
      case 'v':
      case 't':
        this.isValue = false;
        break;
      case 'rPh':
        this.isReading = false;
        break;
      case 'c':
        if (this.cell !== null && this.row !== null) this.place(this.row, this.cell);
        this.cell = null;
        break;
      case 'row':
        if (this.row !== null) this.add(this.row);
        this.row = null;
        break;
      default:
    }
  }

  isDone(): boolean {
    return this.excess !== null || this.rows.length >= this.rowsNeeded;
  }

  result(): ReadSheet {
    this.rows.sort((a, b) => a.line - b.line);
    for (const merge of this.merges) this.spread(merge);
    if (this.excess !== null) return this.excess;
    return {
      kind: 'read',
      rows: this.rows.map(({ line, cells, notes, isHidden }) => ({
        line,
        cells,
        ...(notes === undefined ? {} : { notes }),
        ...(isHidden ? { isHidden } : {}),
      })),
    };
  }

  private place(row: RowOfSheet, cell: Cell): void {
    const { text, note } = this.read(cell);
    if (text === '' && note?.problem === undefined) return;
    if (cell.column >= COLUMNS_MAX) {
      this.refuse(tooManyColumns(row.line, cell.column + 1));
      return;
    }
    while (row.cells.length < cell.column) row.cells.push('');
    row.cells[cell.column] = inOneLine(text);
    if (note !== undefined) noteOn(row, cell.column, note);
  }

  private add(row: RowOfSheet): void {
    const isEmpty = row.notes === undefined && row.cells.every((cell) => cell.trim() === '');
    if (isEmpty || this.excess !== null || this.isDone()) return;
    this.size += row.cells.length;
    if (this.rows.length === this.limits.rowsMax) this.refuse(tooManyRows(this.limits, row.line));
    else if (this.size > CELLS_MAX) this.refuse(tooManyCells(row.line));
    else this.rows.push(row);
  }

  private refuse(outcome: TableOutcome): void {
    if (outcome.kind === 'malformed') this.excess ??= outcome;
  }

  private read({ type, style, isFormula, value }: Cell): { readonly text: string; readonly note?: CellNote } {
    switch (type) {
      case 's': {
        const text = value === null ? '' : this.workbook.strings[Number(value)];
        if (text === undefined) throw new WorkbookError(DAMAGED);
        return { text };
      }
      case 'inlineStr':
        return { text: unescapeText(value ?? '') };
      case 'str':
        return isFormula && value === null ? { text: '', note: { problem: UNCOMPUTED } } : { text: unescapeText(value ?? '') };
      case 'e':
        return { text: value ?? '', note: { problem: `holds the error ${value ?? ''}`.trim() } };
      case 'd':
        return { text: value ?? '' };
      default: {
        if (value === null || value.trim() === '') return isFormula ? { text: '', note: { problem: UNCOMPUTED } } : { text: '' };
        if (type === 'b') return { text: value === '1' ? 'true' : 'false' };
        if (isFormula && this.workbook.awaitsComputing && Number(value) === 0)
          return { text: value, note: { problem: UNCOMPUTED } };
        return this.number(value, style);
      }
    }
  }

  private number(value: string, style: number): { readonly text: string; readonly note: CellNote } | { readonly text: string } {
    const format = this.workbook.formats[style];
    if (format !== undefined && format.kind !== 'number') {
      const text = dateText(Number(value), format, this.workbook.is1904);
      return text === null ? { text: value, note: { problem: 'holds no day of the calendar' } } : { text };
    }
    const number = numberText(value);
    if (number === null) {
      return { text: value, note: { problem: 'holds a number of more digits than the file keeps; format the column as text' } };
    }
    return { text: number.text, note: number.isShortened ? { isNumber: true, isShortened: true } : NUMBER };
  }

  /** Remembers a cell that is merged over rows. Over columns alone, its value stays in the first. */
  private addMerge(range: string): void {
    const [, first = '', from = '', to = ''] = /^([A-Z]+)(\d+):[A-Z]+(\d+)$/.exec(range) ?? [];
    const column = columnOf(first);
    if (column === null || column >= COLUMNS_MAX || Number(from) >= Number(to) || this.merges.length >= MERGES_MAX) return;
    this.merges.push({ column, from: Number(from), to: Number(to) });
  }

  private spread({ column, from, to }: Merge): void {
    let at = this.firstRowFrom(from);
    const first = this.rows[at];
    if (first === undefined || first.line !== from || this.excess !== null) return;
    const text = first.cells[column] ?? '';
    const note = { ...first.notes?.get(column), isMerged: true as const };
    if (text === '' && note.problem === undefined) return;
    for (at += 1; at < this.rows.length; at += 1) {
      const row = this.rows[at];
      if (row === undefined || row.line > to) return;
      this.size += 1 + Math.max(0, column - row.cells.length);
      if (this.size > CELLS_MAX) {
        this.refuse(tooManyCells(row.line));
        return;
      }
      while (row.cells.length < column) row.cells.push('');
      row.cells[column] = text;
      noteOn(row, column, note);
    }
  }

  /** The place of the first row on this line or below. */
  private firstRowFrom(line: number): number {
    let [low, high] = [0, this.rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.rows[middle]?.line ?? 0) < line) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function noteOn(row: RowOfSheet, column: number, note: CellNote): void {
  row.notes ??= new Map();
  row.notes.set(column, note);
}

/** The place of a column from 0 by its letters; null without any. */
function columnOf(address: string | undefined): number | null {
  const [letters] = /^[A-Z]{1,3}/.exec(address ?? '') ?? [];
  if (letters === undefined) return null;
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

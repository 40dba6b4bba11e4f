import { readTable, type TableRow } from '@switchyard/runtime/tables';
import { SETTLEMENT_ZONE } from '../calendar.ts';
import { type FileWarning, FileWarnings, PlausibleDays } from '../reading/file-warning.ts';
import { findHeader, hasTitles } from '../reading/header.ts';
import type { UnreadableCell } from '../reading/read-settlement-file.ts';
import { type AmountReading, cellText, MERGED, millionths, negate, quoted, readAmount, readDay } from '../reading/read-values.ts';
import { signsOf } from '../reading/signs.ts';
import type { SkippedRow } from '../reading/skipped-rows.ts';
import type { BankMapping, ReadLines, StatementLine } from './mapping.ts';

/** The amounts of a row of a statement by its columns. */
interface BankAmounts {
  readonly amount: AmountReading;
  readonly credit: AmountReading;
  readonly debit: AmountReading;
}

interface Sums {
  amount: bigint;
  /** The sum of the amounts above 0 in the column of amounts. */
  positive: bigint;
  credit: bigint;
  debit: bigint;
}

/** Sums of the columns of a statement: of the rows so far, of those since the last sum, and of all. */
class ColumnSums {
  /** Rows since the last sum. */
  rows = 0;
  private readonly whole = noSums();
  private readonly before = noSums();
  private since = noSums();

  constructor(all: readonly BankAmounts[]) {
    for (const row of all) addTo(this.whole, row);
  }

  begin(): void {
    this.rows = 0;
    this.since = noSums();
  }

  add(row: BankAmounts): void {
    this.rows += 1;
    addTo(this.before, row);
    addTo(this.since, row);
  }

  /** True if each amount of a row is the sum of its column. */
  have(row: BankAmounts): boolean {
    const [amount, credit, debit] = [row.amount, row.credit, row.debit].map((reading) => millionths(reading) ?? 0n);
    if (this.rows === 0 || (amount === 0n && credit === 0n && debit === 0n)) return false;
    return [this.since, this.before, this.whole].some((sum) => {
      const isAmount = amount === 0n || amount === sum.amount || amount === sum.positive;
      return isAmount && (credit === 0n || credit === sum.credit) && (debit === 0n || debit === sum.debit);
    });
  }
}

function noSums(): Sums {
  return { amount: 0n, positive: 0n, credit: 0n, debit: 0n };
}

function addTo(sums: Sums, row: BankAmounts): void {
  const amount = millionths(row.amount) ?? 0n;
  sums.amount += amount;
  if (amount > 0n) sums.positive += amount;
  sums.credit += millionths(row.credit) ?? 0n;
  sums.debit += millionths(row.debit) ?? 0n;
}

/** A statement with columns, of the account that was entered. */
export interface ColumnsOf {
  readonly bankAccount: string;
  readonly mapping: BankMapping;
}

/** The titles that a mapping names. */
export function titlesOf({ columns }: BankMapping): string[] {
  return Object.values(columns).filter((title) => title !== null);
}

/** Reads a statement with columns by its mapping. */
export async function readColumns(
  bytes: Uint8Array,
  of: ColumnsOf,
  { rowsMax, today }: { readonly rowsMax: number; readonly today: string },
): Promise<ReadLines & { readonly warnings: readonly FileWarning[] }> {
  const { mapping } = of;
  const wanted = titlesOf(mapping);
  const { sheet = null, titlesLine = null } = mapping;
  const table = await readTable(bytes, { rowsMax }, { sheet, suits: (rows) => hasTitles(rows, wanted) });
  if (table.kind === 'malformed') {
    const { line, column, message } = table.problem;
    return unreadable({ line, column: `Column ${column}`, message });
  }
  const header = findHeader(table.rows, { wanted, line: titlesLine });
  const missing = wanted.find((title) => header?.titles.includes(title) !== true);
  if (header === null || missing !== undefined) {
    return unreadable({ line: 1, column: missing ?? 'The file', message: 'is not among the titles of the columns' });
  }
  return new StatementReader(header.titles, of, today).read(header.rows);
}

function unreadable(problem: UnreadableCell) {
  return { lines: [], skipped: [], warnings: [], problems: [problem] };
}

type Column = keyof BankMapping['columns'];

const NOTHING: AmountReading = { kind: 'nothing' };
/** A column with so many debits is not one of reversals alone. */
const DEBITS_MIN = 3;
/** A row with what its cells say. */
interface ReadRow extends BankAmounts {
  readonly row: TableRow;
  readonly bookedOn: string | null;
  readonly direction: 'credit' | 'debit' | null;
}

/** Meanings of a minus in a file: true where each debit has one, beside its mark or in its column. */
interface DebitSigns {
  readonly isMarkNegative: boolean;
  readonly isColumnNegative: boolean;
}

/** Amounts that a row books: a credit and a debit where it has both, nothing, or the cell that cannot be read. */
type Booked =
  | { readonly kind: 'amounts'; readonly amounts: readonly string[] }
  | { readonly kind: 'unreadable'; readonly column: Column; readonly problem: string };

/** Reads the rows of a statement: no row with an amount is skipped, unless it is the sum of others or has words in place of its day. */
class StatementReader {
  private readonly problems: UnreadableCell[] = [];
  private readonly warnings = new FileWarnings();
  private readonly lines: StatementLine[] = [];
  private readonly skipped: SkippedRow[] = [];
  private readonly titles: readonly string[];
  private readonly of: ColumnsOf;
  private readonly days: PlausibleDays;
  private readonly directions: ReadonlyMap<string, 'credit' | 'debit'>;

  constructor(titles: readonly string[], of: ColumnsOf, today: string) {
    this.titles = titles;
    this.of = of;
    this.directions = new Map(Object.entries(of.mapping.directions ?? {}));
    this.days = new PlausibleDays(this.warnings, today);
  }

  read(table: readonly TableRow[]): ReadLines & { readonly warnings: readonly FileWarning[] } {
    const rows = table.map((row) => this.parse(row));
    const { isDebitNegative } = signsOf(
      rows.map(({ amount, direction }) => ({ amount: decimalIn(amount), fee: null, direction })),
    );
    const signs = { isMarkNegative: isDebitNegative, isColumnNegative: isNegativeColumn(rows) };
    const sums = new ColumnSums(rows.filter(({ bookedOn }) => bookedOn !== null));
    let dayAbove: string | null = null;
    for (const read of rows) {
      const booked = this.book(read, signs);
      const reason = this.reasonOf(read, booked, sums);
      if (reason !== null) {
        this.skip(read, reason);
        if (reason === 'total') sums.begin();
        continue;
      }
      sums.add(read);
      dayAbove = this.dayOf(read, dayAbove);
      if (booked.kind === 'unreadable') this.wrong(read.row, booked.column, booked.problem);
      else if (dayAbove !== null) this.take(read, dayAbove, booked.amounts);
      this.warnOfDebits(read, signs);
    }
    this.days.finish();
    const problems = this.problems.toSorted((a, b) => a.line - b.line);
    if (problems.length === 0 && this.lines.length === 0) {
      problems.push({ line: 1, column: this.of.mapping.columns.bookedOn, message: 'has no rows' });
    }
    const lines = problems.length > 0 ? [] : this.lines;
    return { lines, skipped: this.skipped, warnings: this.warnings.list(), problems };
  }

  private parse(row: TableRow): ReadRow {
    const { dates, zone = SETTLEMENT_ZONE } = this.of.mapping;
    const isUnknown = this.problemOf(row, 'bookedOn') !== undefined;
    return {
      row,
      bookedOn: isUnknown ? null : readDay(this.text(row, 'bookedOn'), { dates, zone }),
      direction: this.directions.get(this.text(row, 'direction').toLowerCase()) ?? null,
      amount: this.amount(row, 'amount'),
      credit: this.amount(row, 'credit'),
      debit: this.amount(row, 'debit'),
    };
  }

  private book(read: ReadRow, { isMarkNegative, isColumnNegative }: DebitSigns): Booked {
    const amounts: string[] = [];
    for (const column of ['amount', 'credit', 'debit'] as const) {
      const reading = read[column];
      if (reading.kind === 'unreadable') return { kind: 'unreadable', column, problem: reading.problem };
      const value = decimalIn(reading);
      if (value === null || value === '0') continue;
      if (column === 'amount' && this.isMapped('direction') && read.direction === null) {
        return { kind: 'unreadable', column: 'direction', problem: this.problemOfDirection(read.row) };
      }
      const isNegated = column === 'debit' ? !isColumnNegative : read.direction === 'debit' && !isMarkNegative;
      amounts.push(isNegated ? negate(value) : value);
    }
    return { kind: 'amounts', amounts };
  }

  /** Why a row is skipped; null of one that is taken, or that cannot be read. */
  private reasonOf(read: ReadRow, booked: Booked, sums: ColumnSums): SkippedRow['reason'] | null {
    const day = this.text(read.row, 'bookedOn');
    // Banks write titles again on a new page, and words beside a sum or a balance.
    const isLabel = read.bookedOn === null && /\p{L}/u.test(day) && !/\d/.test(day);
    if (booked.kind === 'unreadable') return isLabel ? 'no_amount' : null;
    if (booked.amounts.length === 0) return 'no_amount';
    if (sums.have(read)) {
      const isCalledSo = read.row.cells.some((cell) => /total|\bsum\b/i.test(cell));
      const isSeveral = sums.rows > 1 && (read.bookedOn === null || booked.amounts.length > 1);
      if (isLabel || isCalledSo || isSeveral) return 'total';
    }
    return isLabel ? 'no_transaction' : null;
  }

  private skip({ row, amount, credit, debit }: ReadRow, reason: SkippedRow['reason']): void {
    if (reason === 'no_transaction') this.warnings.add({ kind: 'skipped_differs' }, row.line);
    const shown = [amount, credit, debit].map(decimalIn).find((value) => value !== null && value !== '0');
    const text = row.cells.map(cellText).find((cell) => cell !== '') ?? '';
    const { currency } = this.of.mapping;
    this.skipped.push({ line: row.line, text: text.slice(0, 60).toWellFormed(), reason, amount: shown ?? null, currency });
  }

  /** The day of a row; null with what is wrong named where it has none. */
  private dayOf({ row, bookedOn }: ReadRow, dayAbove: string | null): string | null {
    const { columns, emptyDays } = this.of.mapping;
    const text = this.text(row, 'bookedOn');
    if (bookedOn !== null) {
      this.days.note({ column: columns.bookedOn, text, day: bookedOn, line: row.line, kind: 'booked' });
      return bookedOn;
    }
    const problem = this.problemOf(row, 'bookedOn');
    if (text === '' && problem === undefined && emptyDays === 'row_above' && dayAbove !== null) {
      this.warnings.add({ kind: 'days_from_above' }, row.line);
      return dayAbove;
    }
    this.wrong(
      row,
      'bookedOn',
      problem ?? (text === '' ? 'must not be empty: the row has an amount' : `is no day: ${quoted(text)}`),
    );
    return null;
  }

  private take({ row }: ReadRow, bookedOn: string, amounts: readonly string[]): void {
    const { bankAccount, mapping } = this.of;
    for (const column of ['text', 'reference'] as const) {
      const problem = this.problemOf(row, column);
      if (problem !== undefined) this.wrong(row, column, problem);
    }
    const text = [this.text(row, 'text'), this.text(row, 'reference')].filter((part) => part !== '').join(' ');
    for (const amount of amounts) this.lines.push({ bankAccount, bookedOn, amount, currency: mapping.currency, text });
    if (amounts.length > 1) this.warnings.add({ kind: 'two_amounts' }, row.line);
    if (row.isHidden === true) this.warnings.add({ kind: 'rows_hidden' }, row.line);
  }

  private warnOfDebits({ row, debit, amount, direction }: ReadRow, { isMarkNegative, isColumnNegative }: DebitSigns): void {
    const [own, marked] = [decimalIn(debit), direction === 'debit' ? decimalIn(amount) : null];
    const isNegative = own?.startsWith('-') === true || marked?.startsWith('-') === true;
    if (!isNegative) return;
    const isSignOfDebits = own === null ? isMarkNegative : isColumnNegative;
    this.warnings.add({ kind: isSignOfDebits ? 'debits_negative' : 'debits_returned' }, row.line);
  }

  private amount(row: TableRow, column: 'amount' | 'credit' | 'debit'): AmountReading {
    if (!this.isMapped(column)) return NOTHING;
    const note = row.notes?.get(this.placeOf(column));
    if (note?.problem !== undefined) return { kind: 'unreadable', problem: note.problem };
    if (note?.isMerged === true) return { kind: 'unreadable', problem: MERGED };
    const { currency, decimalMark } = this.of.mapping;
    const isPlain = note?.isNumber === true;
    return readAmount(this.text(row, column), { unit: 'main', decimalMark: isPlain ? '.' : decimalMark, currency, isPlain });
  }

  private problemOfDirection(row: TableRow): string {
    const word = this.text(row, 'direction');
    const problem = this.problemOf(row, 'direction');
    return problem ?? (word === '' ? 'must not be empty' : `has the word ${quoted(word)}, which has no meaning yet`);
  }

  private problemOf(row: TableRow, column: Column): string | undefined {
    return row.notes?.get(this.placeOf(column))?.problem;
  }

  private isMapped(column: Column): boolean {
    return (this.of.mapping.columns[column] ?? null) !== null;
  }

  private placeOf(column: Column): number {
    const title = this.of.mapping.columns[column] ?? null;
    return title === null ? -1 : this.titles.indexOf(title);
  }

  private text({ cells }: TableRow, column: Column): string {
    return cellText(cells[this.placeOf(column)] ?? '');
  }

  private wrong({ line }: TableRow, column: Column, message: string): void {
    this.problems.push({ line, column: this.of.mapping.columns[column] ?? column, message });
  }
}

/** True if each debit of a column has a minus, of so many that none came back. */
function isNegativeColumn(rows: readonly ReadRow[]): boolean {
  const debits = rows.map(({ debit }) => decimalIn(debit)).filter((value) => value !== null && value !== '0');
  return debits.length >= DEBITS_MIN && debits.every((value) => value?.startsWith('-') === true);
}

function decimalIn(reading: AmountReading): string | null {
  return reading.kind === 'amount' ? reading.amount : null;
}

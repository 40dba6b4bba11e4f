import { subtractDecimals, sumDecimals } from '@switchyard/db/decimals';
import type { ListedSettlement, ListedSettlementLine } from '@switchyard/gateways';
import { dateOf, dayText, isDay } from '@switchyard/runtime/calendar-days';
import { readTable, type TableRow } from '@switchyard/runtime/tables';
import { type FileWarning, FileWarnings, PlausibleDays } from './file-warning.ts';
import { findHeader, hasTitles } from './header.ts';
import { mapInTurns } from './in-turns.ts';
import { FILE_FIELDS, type FileField, type SettlementMapping, type WordMeaning } from './mapping.ts';
import {
  type AmountReading,
  cellText,
  dayIn,
  MERGED,
  negate,
  problemOfReference,
  quoted,
  readAmount,
  readDay,
  readTime,
  referenceText,
} from './read-values.ts';
import { kindOf, type SignsOfFile, signedAmount, signsOf } from './signs.ts';
import { fatesOf, type RowShape, type SkippedRow } from './skipped-rows.ts';

/** Bounds of a file: a payout of 100,000 payments fits, with the lines above and below them. */
export const SETTLEMENT_FILE_LIMITS = { bytesMax: 24 * 1_048_576, rowsMax: 101_000 } as const;

const TEXT_MAX = 500;

/** The payout of a file without a column for it, as a person entered it. */
export interface EnteredPayout {
  readonly reference: string | null;
  /** `YYYY-MM-DD`. */
  readonly settledOn: string | null;
}

/** A cell that cannot be read. */
export interface UnreadableCell {
  readonly line: number;
  /** The column's title. */
  readonly column: string;
  /** `${column} ${message}` reads as a sentence. */
  readonly message: string;
}

/** A payout of a file with its lines. */
export interface FileSettlement {
  readonly settlement: ListedSettlement;
  readonly lines: readonly ListedSettlementLine[];
}

/** A file by its mapping. */
export interface ReadSettlementFile {
  /** Rows that were read, those with problems among them. */
  readonly rows: number;
  readonly settlements: readonly FileSettlement[];
  /** Rows that are not transactions, each with its reason and amount. */
  readonly skipped: readonly SkippedRow[];
  /** Warnings to show before the file is taken in. */
  readonly warnings: readonly FileWarning[];
  /** Everything that cannot be read, in the order of the file. Nothing of the file is taken in while there is any. */
  readonly problems: readonly UnreadableCell[];
}

/**
 * Reads a file of an account by its mapping; pure but for the reader of XLSX, which is loaded when it is needed.
 *
 * @param today by which days are unlikely
 */
export async function readSettlementFile(
  bytes: Uint8Array,
  mapping: SettlementMapping,
  entered: EnteredPayout,
  today: string = dayText(new Date()),
): Promise<ReadSettlementFile> {
  const columns = FILE_FIELDS.flatMap((field) => mapping.columns[field] ?? []);
  const { sheet = null, titlesLine = null } = mapping;
  const table = await readTable(bytes, SETTLEMENT_FILE_LIMITS, { sheet, suits: (rows) => hasTitles(rows, columns) });
  if (table.kind === 'malformed') {
    const { line, column, message } = table.problem;
    return unreadable({ line, column: `column ${column}`, message });
  }
  const header = findHeader(table.rows, { wanted: columns, line: titlesLine });
  const missing = columns.find((title) => header?.titles.includes(title) !== true);
  if (header === null || missing !== undefined) {
    return unreadable({ line: 1, column: missing ?? 'column 1', message: 'is not among the titles of the columns' });
  }
  const about = problemOfEntered(mapping, entered);
  if (about !== null) return unreadable(about);
  const reader = new FileReader(header.titles, { mapping, entered, today });
  return reader.read(header.rows);
}

function unreadable(problem: UnreadableCell): ReadSettlementFile {
  return { rows: 0, settlements: [], skipped: [], warnings: [], problems: [problem] };
}

/** A payout's reference and day come from columns, or are entered; a day alone names one as well. */
function problemOfEntered({ columns }: SettlementMapping, { reference, settledOn }: EnteredPayout): UnreadableCell | null {
  if (columns.settledOn === null && (settledOn === null || !isDay(settledOn))) {
    return { line: 1, column: 'Day of payout', message: 'is neither a column nor entered' };
  }
  if (columns.settlement === null && columns.settledOn === null && (reference ?? '').trim() === '') {
    return { line: 1, column: 'Payout reference', message: 'is neither a column nor entered' };
  }
  return null;
}

/** A row with what its cells say, before it is decided whether it is a transaction. */
interface ReadRow extends RowShape {
  readonly row: TableRow;
  readonly currency: string | null;
  readonly settledOn: string | null;
  readonly occurredAt: Date | null;
  readonly direction: 'credit' | 'debit' | null;
  readonly meaning: WordMeaning | null;
}

interface FileRow {
  readonly line: number;
  readonly settledOn: string;
  readonly currency: string;
  readonly net: string | null;
  readonly lines: readonly ListedSettlementLine[];
}

/** A row of a payout, as far as it can be read. */
interface Transaction extends Omit<FileRow, 'line'> {
  readonly settlement: string;
}

const NOTHING: AmountReading = { kind: 'nothing' };
/** Stands for a reference that the file does not have the value of. */
const UNKNOWN_NAME = '#0';

/** Reads the rows of a file: first what each says, then, by all of them, which are transactions and what a sign means. */
class FileReader {
  private readonly problems: UnreadableCell[] = [];
  private readonly warnings = new FileWarnings();
  private readonly payouts = new Map<string, FileRow[]>();
  private readonly seen = new Map<string, number>();
  private readonly places: ReadonlyMap<FileField, number>;
  private readonly kinds: ReadonlyMap<string, WordMeaning>;
  private readonly directions: ReadonlyMap<string, 'credit' | 'debit'>;
  private readonly titles: readonly string[];
  private readonly mapping: SettlementMapping;
  private readonly entered: EnteredPayout;
  private readonly days: PlausibleDays;

  constructor(
    titles: readonly string[],
    { mapping, entered, today }: { mapping: SettlementMapping; entered: EnteredPayout; today: string },
  ) {
    this.titles = titles;
    this.mapping = mapping;
    this.entered = entered;
    this.kinds = new Map(Object.entries(mapping.kinds));
    this.directions = new Map(Object.entries(mapping.directions ?? {}));
    this.days = new PlausibleDays(this.warnings, today);
    this.places = new Map(
      FILE_FIELDS.flatMap((field) => {
        const title = mapping.columns[field] ?? null;
        return title === null ? [] : [[field, titles.indexOf(title)]];
      }),
    );
  }

  async read(table: readonly TableRow[]): Promise<ReadSettlementFile> {
    const all = await mapInTurns(table, (row) => this.parse(row));
    const fates = fatesOf(all);
    const skipped: SkippedRow[] = [];
    const transactions: ReadRow[] = [];
    for (const [at, row] of all.entries()) {
      const fate = fates[at] ?? { reason: null, isLikeTotal: false };
      const reason = row.meaning === 'skip' ? 'word' : fate.reason;
      if (reason !== null) {
        skipped.push(this.skipped(row, reason));
        continue;
      }
      transactions.push(row);
      if (fate.isLikeTotal) this.warnings.add({ kind: 'rows_like_totals' }, row.row.line);
    }
    const amountOf = (reading: AmountReading) => (reading.kind === 'amount' ? reading.amount : null);
    const signs = signsOf(
      transactions.map(({ amount, fee, direction }) => ({ amount: amountOf(amount), fee: amountOf(fee), direction })),
    );
    const pairs = await mapInTurns(transactions, (row) => {
      const transaction = this.transaction(row, signs);
      if (transaction !== null) this.add(row.row, transaction);
      return [row, transaction] as const;
    });
    this.warn(pairs, signs);
    if (transactions.length === 0) this.wrong({ line: 1, cells: [] }, 'amount', 'has no rows');
    const problems = this.problems.toSorted((a, b) => a.line - b.line);
    return {
      rows: transactions.length,
      settlements: problems.length > 0 ? [] : [...this.payouts].map(([settlementId, rows]) => settlementOf(settlementId, rows)),
      skipped,
      warnings: this.warnings.list(),
      problems,
    };
  }

  private parse(row: TableRow): ReadRow {
    const currency = this.places.has('currency') ? readCurrency(this.text(row, 'currency')) : this.mapping.currency;
    const amountOf = (field: FileField) => this.amount(row, field, currency ?? this.mapping.currency);
    // A cell that holds something else than its value is not empty.
    const isUnknown = (field: FileField) => row.notes?.get(this.places.get(field) ?? -1)?.problem !== undefined;
    const nameOf = (field: FileField) => (isUnknown(field) ? UNKNOWN_NAME : this.text(row, field));
    const names = [nameOf('reference'), nameOf('transactionId')].filter((name) => name !== '');
    const settledOn = this.places.has('settledOn') ? readDay(this.text(row, 'settledOn'), this.mapping) : this.entered.settledOn;
    const occurredAt = readTime(this.text(row, 'occurredAt'), this.mapping);
    const meaning = this.kinds.get(this.text(row, 'kind').toLowerCase()) ?? null;
    const direction = this.directions.get(this.text(row, 'direction').toLowerCase()) ?? null;
    return {
      row,
      names,
      has: [
        names.length > 0,
        this.text(row, 'settlement') !== '',
        settledOn !== null || isUnknown('settledOn'),
        occurredAt !== null || isUnknown('occurredAt'),
        this.text(row, 'kind') !== '',
        currency !== null,
      ],
      isExplained: occurredAt !== null || (meaning !== null && meaning !== 'skip'),
      amount: amountOf('amount'),
      fee: amountOf('fee'),
      net: amountOf('net'),
      currency,
      settledOn,
      occurredAt,
      direction,
      meaning,
    };
  }

  private skipped({ row, amount, net, currency }: ReadRow, reason: SkippedRow['reason']): SkippedRow {
    const shown = [amount, net].find(({ kind }) => kind === 'amount') ?? NOTHING;
    if (reason === 'no_transaction') this.warnings.add({ kind: 'skipped_differs' }, row.line);
    return {
      line: row.line,
      text: (row.cells.map(cellText).find((cell) => cell !== '') ?? '').slice(0, 60).toWellFormed(),
      reason,
      amount: shown.kind === 'amount' ? shown.amount : null,
      currency: currency ?? this.mapping.currency,
    };
  }

  /** The transaction that a row adds to its payout; null where a cell of it cannot be read, which is then named as a problem. */
  private transaction(read: ReadRow, signs: SignsOfFile): Transaction | null {
    const { row } = read;
    const before = this.problems.length;
    for (const field of this.places.keys()) this.checkText(row, field);
    const settledOn = this.places.has('settledOn') ? this.needed(row, 'settledOn', read.settledOn, 'day') : read.settledOn;
    const settlement = this.places.has('settlement')
      ? this.needed(row, 'settlement', this.text(row, 'settlement') || null, 'reference')
      : this.entered.reference?.trim() || settledOn;
    const currency = this.places.has('currency')
      ? this.needed(row, 'currency', read.currency, 'currency of three letters')
      : read.currency;
    const net = this.places.has('net') ? this.decimal(row, 'net', read.net) : null;
    const lines = this.lines(read, signs);
    if (this.text(row, 'occurredAt') !== '') this.needed(row, 'occurredAt', read.occurredAt, 'time');
    const isReadable = this.problems.length === before;
    if (!isReadable || settledOn === null || settlement === null || currency === null || lines === null) return null;
    return { settlement, settledOn, currency, net, lines };
  }

  private lines(read: ReadRow, signs: SignsOfFile): ListedSettlementLine[] | null {
    const { row, occurredAt, direction } = read;
    const amount = this.decimal(row, 'amount', read.amount);
    const fee = read.fee.kind === 'nothing' ? '0' : this.decimal(row, 'fee', read.fee);
    if (this.places.has('direction') && direction === null) this.unknownWord(row, 'direction');
    const meaning = this.places.has('kind') ? this.needed(row, 'kind', read.meaning, null) : 'payment';
    if (amount === null || fee === null || meaning === null || meaning === 'skip') return null;
    const signed = signedAmount({ amount, direction, meaning }, this.mapping, signs);
    const kind = this.places.has('kind') ? kindOf(meaning) : signed.startsWith('-') ? 'refund' : 'payment';
    const reference = this.text(row, 'reference') || null;
    const transactionId = this.text(row, 'transactionId') || null;
    const about = { reference, transactionId, occurredAt };
    const key = (of: string) => `${of}/${transactionId ?? reference ?? row.line}`;
    const first = { key: key(kind), kind, amount: signed, description: this.text(row, 'description') || null, ...about };
    if (fee === '0') return [first];
    return [
      first,
      { key: key('fee'), kind: 'fee', amount: signs.isFeeNegative ? fee : negate(fee), description: null, ...about },
    ];
  }

  /** Adds a row to its payout, with whose others it must agree. */
  private add(row: TableRow, { settlement, ...read }: Transaction): void {
    const others: FileRow[] = this.payouts.get(settlement) ?? [];
    const first = others[0] ?? { ...read, line: row.line };
    const repeated = this.repeated(settlement, row.line, read.lines);
    const differs = (from: string) => `differs from ${from}, which line ${first.line} has for the same payout`;
    if (first.settledOn !== read.settledOn) this.wrong(row, 'settledOn', differs(first.settledOn));
    else if (first.currency !== read.currency) this.wrong(row, 'currency', differs(first.currency));
    else if (repeated !== null && read.lines[0]?.kind === 'payment') this.wrong(row, 'amount', `repeats line ${repeated}`);
    else others.push({ ...read, line: row.line });
    // Two refunds of a payment may be alike, two payments with one reference are not.
    if (repeated !== null) this.warnings.add({ kind: 'rows_repeated' }, row.line);
    this.payouts.set(settlement, others);
  }

  /** The line of the same payout with the same payment, kind, amount and time; null without one. */
  private repeated(settlement: string, line: number, [first]: readonly ListedSettlementLine[]): number | null {
    if (first === undefined || (first.reference === null && first.transactionId === null)) return null;
    const { kind, amount, reference, transactionId, description, occurredAt } = first;
    const key = [settlement, kind, amount, reference, transactionId, description, occurredAt?.getTime()].join('\n');
    const before = this.seen.get(key) ?? null;
    if (before === null) this.seen.set(key, line);
    return before;
  }

  /** Names what a person should know of the rows that are taken in. */
  private warn(pairs: readonly (readonly [ReadRow, Transaction | null])[], signs: SignsOfFile): void {
    const taking = new Set<ListedSettlementLine['kind']>();
    for (const [, transaction] of pairs) {
      const [first] = transaction?.lines ?? [];
      if (first?.amount.startsWith('-') === true) taking.add(first.kind);
    }
    for (const [read, transaction] of pairs) {
      const { row, settledOn, occurredAt, meaning } = read;
      const { line } = row;
      const paidOn = occurredAt === null ? null : dayIn(occurredAt, this.mapping.zone);
      this.noteDay(row, 'settledOn', settledOn);
      this.noteDay(row, 'occurredAt', paidOn);
      if (settledOn !== null && paidOn !== null && settledOn < paidOn) {
        this.warnings.add({ kind: 'payouts_before_payments', settledOn, paidOn }, line);
      }
      if (row.isHidden === true) this.warnings.add({ kind: 'rows_hidden' }, line);
      for (const field of ['settlement', 'reference', 'transactionId'] as const) {
        const place = this.places.get(field);
        if (place === undefined || row.notes?.get(place)?.isShortened !== true) continue;
        this.warnings.add({ kind: 'digits_doubtful', column: this.titles[place] ?? field }, line);
      }
      const [first] = transaction?.lines ?? [];
      const isDeduction = meaning === 'refund' || meaning === 'fee' || meaning === 'chargeback';
      if (
        isDeduction &&
        first !== undefined &&
        first.amount !== '0' &&
        !first.amount.startsWith('-') &&
        !taking.has(first.kind)
      ) {
        this.warnings.add({ kind: 'deductions_add', lineKind: first.kind }, line);
      }
      if (signs.isFeeNegative && read.fee.kind === 'amount' && read.fee.amount.startsWith('-')) {
        this.warnings.add({ kind: 'fees_negative' }, line);
      }
      if (signs.isDebitNegative && read.direction === 'debit') this.warnings.add({ kind: 'debits_negative' }, line);
    }
    this.days.finish();
  }

  private noteDay(row: TableRow, field: 'settledOn' | 'occurredAt', day: string | null): void {
    const place = this.places.get(field);
    if (place === undefined || day === null) return;
    const kind = field === 'settledOn' ? 'payout' : 'booked';
    this.days.note({ column: this.titles[place] ?? field, text: this.text(row, field), day, line: row.line, kind });
  }

  private amount(row: TableRow, field: FileField, currency: string): AmountReading {
    const place = this.places.get(field);
    if (place === undefined) return NOTHING;
    const note = row.notes?.get(place);
    if (note?.problem !== undefined) return { kind: 'unreadable', problem: note.problem };
    if (note?.isMerged === true) return { kind: 'unreadable', problem: MERGED };
    // A number of a workbook has a point before its decimals, whatever mark the texts of the file have.
    const isPlain = note?.isNumber === true;
    const { unit, decimalMark } = this.mapping;
    return readAmount(this.text(row, field), { unit, decimalMark: isPlain ? '.' : decimalMark, currency, isPlain });
  }

  /** The amount of a cell; null with what is wrong named where it has none. */
  private decimal(row: TableRow, field: FileField, reading: AmountReading): string | null {
    switch (reading.kind) {
      case 'amount':
        return reading.amount;
      case 'nothing':
        return this.refuse(row, field, 'must not be empty');
      case 'unreadable':
        return this.refuse(row, field, reading.problem);
      default:
        return reading satisfies never;
    }
  }

  /** A value that a cell must have; null with what is wrong named where it has none. */
  private needed<Value>(row: TableRow, field: FileField, value: Value | null, noun: string | null): Value | null {
    if (value !== null || this.problemOf(row, field) !== undefined) return value;
    const text = this.text(row, field);
    if (text === '') return this.refuse(row, field, 'must not be empty');
    return noun === null ? this.unknownWord(row, field) : this.refuse(row, field, `is no ${noun}: ${quoted(text)}`);
  }

  private unknownWord(row: TableRow, field: FileField): null {
    if (this.problemOf(row, field) !== undefined) return null;
    const word = this.text(row, field);
    if (word === '') return this.refuse(row, field, 'must not be empty');
    return this.refuse(row, field, `has the word ${quoted(word)}, which has no meaning yet`);
  }

  /** Names a cell whose content is not its value, or no text that can be stored. */
  private checkText(row: TableRow, field: FileField): void {
    const isAmount = field === 'amount' || field === 'fee' || field === 'net';
    const problem = isAmount ? undefined : this.problemOf(row, field);
    if (problem !== undefined) this.wrong(row, field, problem);
  }

  private problemOf(row: TableRow, field: FileField): string | undefined {
    const place = this.places.get(field) ?? -1;
    const noted = row.notes?.get(place)?.problem;
    if (noted !== undefined) return noted;
    const text = cellText(row.cells[place] ?? '');
    if (text.length > TEXT_MAX || !text.isWellFormed() || /[\p{Cc}]/u.test(text)) {
      return `holds control characters or more than ${TEXT_MAX} characters`;
    }
    return isName(field) ? (problemOfReference(text) ?? undefined) : undefined;
  }

  /** The text of a cell; empty where there is none. */
  private text({ cells }: TableRow, field: FileField): string {
    const text = cellText(cells[this.places.get(field) ?? cells.length] ?? '');
    return isName(field) ? referenceText(text) : text;
  }

  private refuse(row: TableRow, field: FileField, message: string): null {
    this.wrong(row, field, message);
    return null;
  }

  private wrong({ line }: TableRow, field: FileField, message: string): void {
    const column = this.titles[this.places.get(field) ?? -1] ?? field;
    this.problems.push({ line, column, message });
  }
}

function isName(field: FileField): boolean {
  return field === 'settlement' || field === 'reference' || field === 'transactionId';
}

function readCurrency(text: string): string | null {
  const code = text.toUpperCase();
  return /^[A-Z]{3}$/.test(code) ? code : null;
}

function settlementOf(settlementId: string, rows: readonly FileRow[]): FileSettlement {
  const lines = rows.flatMap((row) => row.lines);
  const sumOf = (kind: ListedSettlementLine['kind']) =>
    sumDecimals(lines.filter((line) => line.kind === kind).map(({ amount }) => amount));
  const nets = rows.flatMap(({ net }) => net ?? []);
  const net = sumDecimals(nets.length === 0 ? lines.map(({ amount }) => amount) : nets);
  const [gross, fees] = [sumOf('payment'), subtractDecimals('0', sumOf('fee'))];
  const { settledOn, currency } = rows[0] ?? { settledOn: '', currency: '' };
  const settlement: ListedSettlement = {
    settlementId,
    status: 'paid',
    currency,
    gross,
    fees,
    deductions: subtractDecimals(subtractDecimals(gross, fees), net),
    net,
    settledOn,
    createdAt: dateOf(settledOn),
  };
  return { settlement, lines };
}

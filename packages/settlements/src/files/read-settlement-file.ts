import { addDecimals, magnitude, subtractDecimals } from '@switchyard/db/decimals';
import type { ListedSettlement, ListedSettlementLine } from '@switchyard/gateways';
import { dateOf, isDay } from '@switchyard/runtime/calendar-days';
import { readTable, type TableRow } from '@switchyard/runtime/tables';
import { findHeader } from './header.ts';
import { FILE_FIELDS, type FileField, type SettlementMapping } from './mapping.ts';
import { readAmount } from './read-amount.ts';
import { readDay, readTime } from './read-time.ts';

/** Bounds of a file; a day's payout of a large merchant fits. */
export const SETTLEMENT_FILE_LIMITS = { bytesMax: 5 * 1_048_576, rowsMax: 20_000 } as const;

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
  /** Lines of the file that begin with "Total". */
  readonly leftOut: readonly number[];
  /** Everything that cannot be read, in the order of the file. Nothing of the file is taken in while there is any. */
  readonly problems: readonly UnreadableCell[];
}

/** Reads a file of an account by its mapping; pure but for the reader of XLSX, which is loaded when it is needed. */
export async function readSettlementFile(
  bytes: Uint8Array,
  mapping: SettlementMapping,
  entered: EnteredPayout,
): Promise<ReadSettlementFile> {
  const table = await readTable(bytes, SETTLEMENT_FILE_LIMITS);
  if (table.kind === 'malformed') {
    const { line, column, message } = table.problem;
    return unreadable({ line, column: `column ${column}`, message });
  }
  const columns = Object.entries(mapping.columns).flatMap(([field, title]) => (title === null ? [] : [{ field, title }]));
  const header = findHeader(
    table.rows,
    columns.map(({ title }) => title),
  );
  const titles = header?.titles ?? [];
  const missing = columns.find(({ title }) => !titles.includes(title));
  if (header === null || missing !== undefined) {
    return unreadable({ line: 1, column: missing?.title ?? 'column 1', message: 'is not among the titles of the columns' });
  }
  const about = problemOfEntered(mapping, entered);
  if (about !== null) return unreadable(about);
  const reader = new RowReader(header.titles, mapping);
  const [totals, rows] = [header.rows.filter(isTotal), header.rows.filter((row) => !isTotal(row))];
  for (const row of rows) reader.read(row, entered);
  if (rows.length === 0) return unreadable({ line: 1, column: mapping.columns.amount, message: 'has no rows' });
  const leftOut = totals.map(({ line }) => line);
  const { problems } = reader;
  return { rows: rows.length, settlements: problems.length > 0 ? [] : reader.settlements(), leftOut, problems };
}

function unreadable(problem: UnreadableCell): ReadSettlementFile {
  return { rows: 0, settlements: [], leftOut: [], problems: [problem] };
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

function isTotal({ cells }: TableRow): boolean {
  return /^(grand |sub)?-?total\b/i.test(cells.find((cell) => cell.trim() !== '')?.trim() ?? '');
}

interface FileRow {
  readonly line: number;
  readonly settledOn: string;
  readonly currency: string;
  readonly net: string | null;
  readonly lines: readonly ListedSettlementLine[];
}

/** Reads rows one after another, and gathers their problems. */
class RowReader {
  readonly problems: UnreadableCell[] = [];
  private readonly rows = new Map<string, FileRow[]>();
  private readonly seen = new Map<string, number>();
  private readonly places: ReadonlyMap<FileField, number>;
  private readonly titles: readonly string[];
  private readonly mapping: SettlementMapping;

  constructor(titles: readonly string[], mapping: SettlementMapping) {
    const { columns } = mapping;
    this.titles = titles;
    this.mapping = mapping;
    this.places = new Map(
      FILE_FIELDS.flatMap((field) => (columns[field] === null ? [] : [[field, titles.indexOf(columns[field])]])),
    );
  }

  read(row: TableRow, entered: EnteredPayout): void {
    const before = this.problems.length;
    const { columns } = this.mapping;
    const settledOn = columns.settledOn === null ? entered.settledOn : this.day(row, 'settledOn');
    const settlement = columns.settlement === null ? entered.reference?.trim() || settledOn : this.required(row, 'settlement');
    const currency = columns.currency === null ? this.mapping.currency : this.currency(row);
    const net = columns.net === null ? null : this.amount(row, 'net');
    const lines = this.lines(row);
    if (this.problems.length > before || settledOn === null || settlement === null || currency === null || lines === null) return;
    this.add(row, settlement, { line: row.line, settledOn, currency, net, lines });
  }

  /** Adds a row to its payout, with whose others it must agree. */
  private add(row: TableRow, settlement: string, read: FileRow): void {
    const others: FileRow[] = this.rows.get(settlement) ?? [];
    const first = others[0] ?? read;
    const repeated = this.repeated(settlement, row.line, read.lines);
    const differs = (from: string) => `differs from ${from}, which line ${first.line} has for the same payout`;
    if (first.settledOn !== read.settledOn) this.wrong(row, 'settledOn', differs(first.settledOn));
    else if (first.currency !== read.currency) this.wrong(row, 'currency', differs(first.currency));
    else if (repeated !== null) this.wrong(row, 'amount', `repeats line ${repeated}`);
    else others.push(read);
    this.rows.set(settlement, others);
  }

  settlements(): FileSettlement[] {
    return [...this.rows].map(([settlementId, rows]) => settlementOf(settlementId, rows));
  }

  private lines(row: TableRow): ListedSettlementLine[] | null {
    const amount = this.amount(row, 'amount');
    const kind = this.kind(row, amount);
    const fee = this.text(row, 'fee') === '' ? '0' : this.amount(row, 'fee');
    const occurredAt = this.time(row);
    if (amount === null || kind === null || fee === null) return null;
    const reference = this.text(row, 'reference') || null;
    const transactionId = this.text(row, 'transactionId') || null;
    const description = this.text(row, 'description') || null;
    const about = { reference, transactionId, occurredAt };
    const key = (of: string) => `${of}/${transactionId ?? reference ?? row.line}`;
    const signed = kind === 'refund' || kind === 'fee' || kind === 'chargeback' ? `-${magnitude(amount)}` : amount;
    const first = { key: key(kind), kind, amount: signed === '-0' ? '0' : signed, description, ...about };
    if (addDecimals(fee) === '0') return [first];
    return [first, { key: key('fee'), kind: 'fee', amount: `-${magnitude(fee)}`, description: null, ...about }];
  }

  /** The line of the same payout with the same payment, kind, amount and time; null without one. */
  private repeated(settlement: string, line: number, [first]: readonly ListedSettlementLine[]): number | null {
    if (first === undefined || (first.reference === null && first.transactionId === null)) return null;
    const { kind, amount, reference, transactionId, description, occurredAt } = first;
    const key = JSON.stringify([settlement, kind, amount, reference, transactionId, description, occurredAt]);
    const before = this.seen.get(key) ?? null;
    if (before === null) this.seen.set(key, line);
    return before;
  }

  private kind(row: TableRow, amount: string | null): ListedSettlementLine['kind'] | null {
    if (this.mapping.columns.kind === null) return amount?.startsWith('-') === true ? 'refund' : 'payment';
    const word = this.required(row, 'kind');
    if (word === null) return null;
    const kind = new Map(Object.entries(this.mapping.kinds)).get(word.toLowerCase());
    if (kind === undefined) this.wrong(row, 'kind', `has the word “${word}”, which has no meaning yet`);
    return kind ?? null;
  }

  private currency(row: TableRow): string | null {
    const code = this.required(row, 'currency')?.toUpperCase() ?? null;
    if (code === null || /^[A-Z]{3}$/.test(code)) return code;
    return this.refuse(row, 'currency', 'is no currency of three letters');
  }

  private amount(row: TableRow, field: FileField): string | null {
    const text = this.required(row, field);
    return text === null ? null : (readAmount(text, this.mapping) ?? this.refuse(row, field, `is no amount: “${shown(text)}”`));
  }

  private day(row: TableRow, field: FileField): string | null {
    const text = this.required(row, field);
    return text === null ? null : (readDay(text, this.mapping) ?? this.refuse(row, field, `is no day: “${shown(text)}”`));
  }

  private time(row: TableRow): Date | null {
    const text = this.text(row, 'occurredAt');
    return text === '' ? null : (readTime(text, this.mapping) ?? this.refuse(row, 'occurredAt', `is no time: “${shown(text)}”`));
  }

  private required(row: TableRow, field: FileField): string | null {
    return this.text(row, field) || this.refuse(row, field, 'must not be empty');
  }

  /** The cell without blanks around it; empty where there is none. */
  private text({ line, cells }: TableRow, field: FileField): string {
    const text = cells[this.places.get(field) ?? cells.length]?.trim() ?? '';
    if (text.length <= TEXT_MAX && text.isWellFormed() && !/[\p{Cc}]/u.test(text)) return text;
    this.refuse({ line, cells }, field, `holds control characters or more than ${TEXT_MAX} characters`);
    return '';
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

function shown(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

function settlementOf(settlementId: string, rows: readonly FileRow[]): FileSettlement {
  const lines = rows.flatMap((row) => row.lines);
  const sumOf = (kind: ListedSettlementLine['kind']) =>
    addDecimals(...lines.filter((line) => line.kind === kind).map(({ amount }) => amount));
  const nets = rows.flatMap(({ net }) => net ?? []);
  const net = nets.length === 0 ? addDecimals(...lines.map(({ amount }) => amount)) : addDecimals(...nets);
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

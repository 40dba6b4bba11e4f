import { decimalsOf } from '@switchyard/routing';
import { dayText, isDay } from '@switchyard/runtime/calendar-days';

/** How amounts are written. */
export interface AmountFormat {
  readonly unit: 'main' | 'minor';
  readonly decimalMark: '.' | ',';
  /** Says how many decimals an amount may have, and which currency may stand beside it. */
  readonly currency: string;
  /** True if nothing groups thousands, as in numbers of workbooks and in statements by a standard: the mark is then certain. */
  readonly isPlain?: boolean;
}

/** An amount of a file. */
export type AmountReading =
  /** An exact canonical decimal of the main unit. */
  | { readonly kind: 'amount'; readonly amount: string }
  /** The cell is empty, or has a dash. */
  | { readonly kind: 'nothing' }
  /** `Amount ${problem}` reads as a sentence. */
  | { readonly kind: 'unreadable'; readonly problem: string };

/** Why the amount of a merged cell cannot be read. */
export const MERGED = 'is merged with a row above, and no amount of one row';

const TEXT_MAX = 60;
const DIGITS_MAX = 24;
/** Decimals that a point or comma between thousands looks like. */
const GROUP = 3;

/**
 * Reads an amount. A negative one has a minus before or behind it, brackets, or `DR`; its currency may stand beside it. It is never rounded:
 * with more decimals than its currency has, it cannot be read, since `1.234` may as well be 1,234.
 */
export function readAmount(text: string, { unit, decimalMark, currency, isPlain = false }: AmountFormat): AmountReading {
  const bare = text.replaceAll(/[\u00a0\u2009\u202f\s]+/g, ' ').trim();
  if (bare.length > TEXT_MAX) return noAmount(text);
  const peeled = peel(bare);
  if (/^[-–—−]*$/.test(peeled.number) && peeled.signs.every((sign) => sign === 'minus')) {
    const hasOnlyCurrency = bare !== '' && !/[-–—−]/.test(bare);
    return hasOnlyCurrency ? noAmount(text) : { kind: 'nothing' };
  }
  const sign = signOf(peeled.signs);
  const [whole = '', fraction = '', ...rest] = peeled.number.split(decimalMark);
  const isNumber =
    rest.length === 0 &&
    (isPlain ? /^\d+$/.test(whole) : isGrouped(whole)) &&
    /^\d*$/.test(fraction) &&
    (fraction !== '' || whole === peeled.number);
  if (!isNumber || sign === null) return noAmount(text);
  const other = peeled.currencies.find((mark) => !isOf(mark, currency));
  if (other !== undefined) return unreadable(`is in another currency than ${currency}: ${quoted(bare)}`);
  const decimals = decimalsOf(currency);
  if (hasTooManyDecimals({ whole, fraction, isPlain }, unit === 'main' ? decimals : 0)) {
    return unreadable(`has more decimals than ${currency} has${unit === 'main' ? '' : ' in its minor unit'}: ${quoted(bare)}`);
  }
  const places = unit === 'minor' ? decimals : 0;
  const all = whole.replaceAll(/\D/g, '').padStart(places + 1, '0') + fraction;
  const point = all.length - fraction.length - places;
  const main = all.slice(0, point).replace(/^0+(?=\d)/, '');
  const shown = all.slice(point).replace(/0+$/, '');
  if (main.length > DIGITS_MAX) return noAmount(text);
  const decimal = shown === '' ? main : `${main}.${shown}`;
  return { kind: 'amount', amount: sign === -1 && decimal !== '0' ? `-${decimal}` : decimal };
}

/** An amount in millionths of the main unit, which are exact; null where there is none. */
export function millionths(reading: AmountReading): bigint | null {
  if (reading.kind !== 'amount') return null;
  const [whole = '', fraction = ''] = reading.amount.split('.');
  return BigInt(whole + fraction.padEnd(6, '0'));
}

/** The amount with the other sign. */
export function negate(amount: string): string {
  if (amount === '0') return amount;
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}

function noAmount(text: string): AmountReading {
  return unreadable(`is no amount: ${quoted(text.trim())}`);
}

function unreadable(problem: string): AmountReading {
  return { kind: 'unreadable', problem };
}

type Sign = 'minus' | 'plus' | 'brackets' | 'debit' | 'credit';

interface Peeled {
  readonly number: string;
  readonly signs: readonly Sign[];
  readonly currencies: readonly string[];
}

const CURRENCY = `[A-Z]{3}(?![A-Z])|=N=|GH[₵¢]|KSh|[₦N#£€$₵R]`;
const BEFORE = new RegExp(String.raw`^(?:(?<sign>[-–−+])|(?<mark>DR|CR)\b\.?|(?<currency>${CURRENCY})) ?(?=[^A-Z]|N|$)`, 'i');
const BEHIND = /(?<before>.*?) ?(?:(?<sign>[-–−+])|(?<mark>DR|CR)\.?|(?<currency>[A-Z]{3}|[₦N£€$₵]))$/i;

/** A text without its signs and currencies, on whichever side of the number they are. */
function peel(text: string): Peeled {
  const [, bracketed] = /^\((.*)\)$/.exec(text) ?? [];
  if (bracketed !== undefined) return join(peel(bracketed.trim()), { sign: 'brackets' });
  const before = BEFORE.exec(text);
  if (before !== null) return join(peel(text.slice(before[0].length)), partOf(before.groups));
  const behind = /\d/.test(text) ? BEHIND.exec(text) : null;
  if (behind?.groups !== undefined && behind.groups['before'] !== '') {
    return join(peel(behind.groups['before'] ?? ''), partOf(behind.groups));
  }
  return { number: text, signs: [], currencies: [] };
}

interface Part {
  readonly sign?: Sign | undefined;
  readonly currency?: string | undefined;
}

function partOf(groups: Readonly<Record<string, string | undefined>> = {}): Part {
  const { sign, mark, currency } = groups;
  if (sign !== undefined) return { sign: sign === '+' ? 'plus' : 'minus' };
  if (mark !== undefined) return { sign: mark.toUpperCase() === 'DR' ? 'debit' : 'credit' };
  return { currency };
}

function join({ number, signs, currencies }: Peeled, { sign, currency }: Part): Peeled {
  return {
    number,
    signs: sign === undefined ? signs : [sign, ...signs],
    currencies: currency === undefined ? currencies : [currency, ...currencies],
  };
}

/** 1 or -1; null where the signs contradict each other, or one is there twice. */
function signOf(signs: readonly Sign[]): 1 | -1 | null {
  const written = signs.filter((sign) => sign === 'minus' || sign === 'plus' || sign === 'brackets');
  const marks = signs.filter((sign) => sign === 'debit' || sign === 'credit');
  if (written.length > 1 || marks.length > 1) return null;
  const directions = new Set(signs.map((sign) => (sign === 'plus' || sign === 'credit' ? 1 : -1)));
  if (directions.size > 1) return null;
  return directions.has(-1) ? -1 : 1;
}

/** True if a mark of a currency is of this one: `$` is of each dollar. */
function isOf(mark: string, currency: string): boolean {
  const upper = mark.toUpperCase();
  if (upper === '₦' || upper === 'N' || upper === '=N=' || upper === '#') return currency === 'NGN';
  if (upper === '$') return currency.endsWith('D');
  if (upper === 'CFA') return currency === 'XOF' || currency === 'XAF';
  const codes = new Map([
    ['£', 'GBP'],
    ['€', 'EUR'],
    ['₵', 'GHS'],
    ['GH₵', 'GHS'],
    ['GH¢', 'GHS'],
    ['KSH', 'KES'],
    ['R', 'ZAR'],
  ]);
  return (codes.get(upper) ?? upper) === currency;
}

/** Digits alone, or in groups of three behind one and the same separator. */
function isGrouped(whole: string): boolean {
  return /^\d+$/.test(whole) || /^\d{1,3}(?:([.,'’ ])\d{3})(?:\1\d{3})*$/.test(whole);
}

/** Zeros beyond the decimals of a currency change nothing, except where they may be thousands: `1.000`. */
function hasTooManyDecimals(
  { whole, fraction, isPlain }: { readonly whole: string; readonly fraction: string; readonly isPlain: boolean },
  max: number,
): boolean {
  if (fraction.length <= max) return false;
  const mayBeThousands = !isPlain && fraction.length === GROUP && /^[1-9]\d{0,2}$/.test(whole);
  return mayBeThousands || /[1-9]/.test(fraction.slice(max));
}

/** How dates and times are written. */
export interface TimeFormat {
  readonly dates: 'day_first' | 'month_first';
  /** Zone of times without one of their own, and of the days of those with one. */
  readonly zone: string;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const TIME = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:\s*([ap])\.?m\.?)?\s*(z|utc|gmt|wat|[+-]\d{2}:?\d{2})?$/i;
const DAY_AND_MONTH = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})$/;

/**
 * The day of a date: `2026-11-25`; null when the text is none. A date with a time is that day as it is written, and with the offset of its time
 * the day that the zone has at that moment.
 */
export function readDay(text: string, format: TimeFormat): string | null {
  const [, time] = splitTime(text);
  if (time === undefined || TIME.exec(time)?.[6] === undefined) return writtenDay(text, format);
  const moment = readTime(text, format);
  return moment === null ? null : dayIn(moment, format.zone);
}

/**
 * True if a date is another day with its day and month the other way around, `03/04/2026`, and false if it is not; null of any other form.
 */
export function isEitherWay(text: string): boolean | null {
  const [date = ''] = splitTime(text);
  const [, first, second] = DAY_AND_MONTH.exec(date) ?? [];
  if (first === undefined || Number(first) === Number(second)) return null;
  return Number(first) <= MONTHS.length && Number(second) <= MONTHS.length;
}

/** The day that a text begins with, as it is written. */
function writtenDay(text: string, { dates }: Pick<TimeFormat, 'dates'>): string | null {
  const [date = ''] = splitTime(text);
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:z|[+-]\d{2}:\d{2})?$/i.exec(date) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(date);
  if (iso !== null) return dayOf(iso[1], iso[2], iso[3]);
  const named = /^(\d{1,2})(?:st|nd|rd|th)?[-/. ]([a-z]{3,9})[-/., ]+(\d{4}|\d{2})$/i.exec(date);
  if (named !== null) return dayOf(named[3], monthOf(named[2]), named[1]);
  const before = /^([a-z]{3,9}) (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/i.exec(date);
  if (before !== null) return dayOf(before[3], monthOf(before[1]), before[2]);
  const [, first, second, year] = DAY_AND_MONTH.exec(date) ?? [];
  return dates === 'day_first' ? dayOf(year, second, first) : dayOf(year, first, second);
}

/** The moment of a date with a time, or of the midnight that begins it; null when the text is none. */
export function readTime(text: string, format: TimeFormat): Date | null {
  const day = writtenDay(text, format);
  const [, time = '00:00'] = splitTime(text);
  const parts = TIME.exec(time);
  if (day === null || parts === null) return null;
  const [, hour = '', minute = '', second = '00', fraction = '', half, offset] = parts;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59 || (half !== undefined && Number(hour) > 12)) return null;
  const wall = Date.parse(`${day}T${String(hours).padStart(2, '0')}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`);
  return new Date(offset === undefined ? inZone(wall, format.zone) : wall - offsetOf(offset));
}

/** The date without the day of the week, and the time after it. */
function splitTime(text: string): readonly [string | undefined, string | undefined] {
  const bare = text.trim().replace(/^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,? /i, '');
  const [, date, time] = /^(.*?)(?:(?:[T,]|\s)\s*(\d{1,2}:\d{2}.*))?$/i.exec(bare) ?? [];
  return [date?.trim(), time?.trim()];
}

function monthOf(name = ''): string {
  return String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1);
}

function dayOf(year = '', month = '', day = ''): string | null {
  const text = `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDay(text) ? text : null;
}

function offsetOf(offset: string): number {
  if (offset.toLowerCase() === 'wat') return 3_600_000;
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(offset) ?? [];
  const minutesAhead = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return (sign === '-' ? -minutesAhead : minutesAhead) * 60_000;
}

/** The moment at which clocks in a zone show what they show in UTC at `wall`. */
function inZone(wall: number, zone: string): number {
  const first = wall - aheadAt(wall, zone);
  return wall - aheadAt(first, zone);
}

/** The day of a moment in a zone. */
export function dayIn(moment: Date, zone: string): string {
  return dayText(new Date(moment.getTime() + aheadAt(moment.getTime(), zone)));
}

const formats = new Map<string, Intl.DateTimeFormat>();
/** Offsets by zone and quarter of an hour, between which they do not change. */
const offsets = new Map<string, number>();
const OFFSETS_MAX = 10_000;
const QUARTER_MS = 900_000;

function aheadAt(moment: number, zone: string): number {
  const key = `${zone} ${Math.floor(moment / QUARTER_MS)}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  if (offsets.size >= OFFSETS_MAX) offsets.clear();
  const ahead = computeAhead(moment, zone);
  offsets.set(key, ahead);
  return ahead;
}

function computeAhead(moment: number, zone: string): number {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    });
  formats.set(zone, format);
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  const shown = Date.parse(`${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}:${of('second')}Z`);
  return shown - Math.floor(moment / 1_000) * 1_000;
}

/** Characters without a width: marks of the byte order and of the direction of writing, which are copied along with a text. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/**
 * The text of a cell without what spreadsheets put around it so that it stays a text: an apostrophe before it, or a formula with nothing else
 * (`="0123"`).
 */
export function cellText(cell: string): string {
  const text = cell.replaceAll(INVISIBLE, '').trim();
  const [, formula] = /^="((?:[^"]|"")*)"$/.exec(text) ?? [];
  if (formula !== undefined) return formula.replaceAll('""', '"').trim();
  return /^'[^']+$/.test(text) ? text.slice(1).trim() : text;
}

/** Why a text is no reference any more: a spreadsheet has shortened it to `2.02611E+15`; null for any other. */
export function problemOfReference(text: string): string | null {
  return /^\d(?:[.,]\d+)?e\+\d+$/i.test(text) ? `is a number that a spreadsheet has shortened: “${text}”` : null;
}

/** Form of the references that we give to gateways, in whatever case and with blanks a program wrote it. */
const OWN_REFERENCE = /^sy[0-9a-f]{32}[0-9]{2}(?=(\.0)?$)/i;

/** A reference as it was before a program took it for a number with decimals, `300001.0`, or wrote one of ours in its own way. */
export function referenceText(text: string): string {
  const [own] = OWN_REFERENCE.exec(text.replaceAll(/\s/g, '')) ?? [];
  if (own !== undefined) return own.toLowerCase();
  return /^\d+\.0$/.test(text) ? text.slice(0, -2) : text;
}

/** A text as a message quotes it. */
export function quoted(text: string): string {
  return text.length > 40 ? `“${text.slice(0, 40).toWellFormed()}…”` : `“${text}”`;
}

import { decimalsOf } from '@switchyard/routing';
import { quoted } from './cell-text.ts';

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

import { ExactNumber } from '@switchyard/db/exact-json';
import { type Fields, findUnknown } from './order.ts';
import { type Problem, type Read, read, refused } from './problem.ts';

/*
 * Amounts of the dialects. The core counts whole naira; Paystack counts kobo and Flutterwave writes naira, in numbers or in text.
 * Amounts other than whole naira are refused, never rounded.
 */

const KOBO = 100;
const DIGITS_MAX = 15;

/** Whole naira, or why a text or number is none. */
type ParsedNaira = number | 'not_an_amount' | 'not_whole_naira';

/** Kobo, an integer or digits, as whole naira. */
export function koboToNaira(value: unknown): ParsedNaira {
  const kobo = readInteger(value);
  if (kobo === null || kobo <= 0) return 'not_an_amount';
  return kobo % KOBO === 0 ? kobo / KOBO : 'not_whole_naira';
}

/** Naira, a number or decimal text, as whole naira. */
export function readNaira(value: unknown): ParsedNaira {
  if (typeof value === 'string') {
    const match = /^(\d{1,15})(?:\.(\d{1,6}))?$/.exec(value.trim());
    if (match === null) return 'not_an_amount';
    const [, whole = '', fraction = ''] = match;
    if (/[1-9]/.test(fraction)) return 'not_whole_naira';
    return Number(whole) > 0 ? Number(whole) : 'not_an_amount';
  }
  if (value instanceof ExactNumber) return value.source.includes('.') ? 'not_whole_naira' : 'not_an_amount';
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0 || value >= 10 ** DIGITS_MAX) return 'not_an_amount';
  return Number.isInteger(value) ? value : 'not_whole_naira';
}

/** Whole naira in kobo. Exact up to 90 trillion naira. */
export function nairaToKobo(naira: bigint): number {
  return Number(naira * BigInt(KOBO));
}

/** A decimal of naira, as numeric columns hold it, in kobo; the third decimal rounds half up. */
export function decimalToKobo(decimal: string): number {
  const [whole = '0', fraction = ''] = decimal.split('.');
  const padded = fraction.padEnd(3, '0');
  const kobo = Number(BigInt(whole) * BigInt(KOBO) + BigInt(padded.slice(0, 2)));
  return Number(padded.charAt(2)) >= 5 ? kobo + 1 : kobo;
}

function readInteger(value: unknown): number | null {
  if (typeof value === 'string') return /^\d{1,15}$/.test(value.trim()) ? Number(value.trim()) : null;
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

/** Whole naira to refund, or `full` for all that is left. */
export type AskedNaira = number | 'full';

const UNKNOWN_WHY = 'a refund has no such field, and without an amount it would be of all that is left';

/**
 * The amount of a refund. The gateways refund all that is left when the field is left out. That is taken only where every other field is a
 * `known` one: another may be the amount under a wrong name, and one that is there and empty is an amount that was lost.
 */
export function readRefundAmount(
  sent: Fields,
  known: readonly string[],
  readAmount: (value: unknown) => ParsedNaira,
  problemOf: (why: Extract<ParsedNaira, string>) => Problem,
): Read<AskedNaira> {
  if (sent.amount === undefined) {
    const unknown = findUnknown(sent, known, UNKNOWN_WHY);
    return unknown === null ? read('full') : refused(unknown);
  }
  const amount = readAmount(sent.amount);
  return typeof amount === 'string' ? refused(problemOf(amount)) : read(amount);
}

import { groupDigits } from '@switchyard/routing';
import { groupDecimal } from '#/format/amounts.ts';
import type { Typed } from './document.ts';

/** A number as it is, or what was typed instead in quotes. */
export function amountText(value: Typed): string {
  return typeof value === 'number' ? groupDigits(value) : `“${value}”`;
}

/** `NGN 0 to 5,000`, `exactly NGN 5,000`, `NGN 20,001 and more`, `Any amount`. */
export function bandText(currency: string, { from, to }: { readonly from: Typed; readonly to: Typed | null }): string {
  if (to === null) return from === 0 || from === 1 ? 'Any amount' : `${currency} ${amountText(from)} and more`;
  if (from === to) return `exactly ${currency} ${amountText(from)}`;
  return `${currency} ${amountText(from)} to ${amountText(to)}`;
}

/** A column of the map, `5k – 20k`: a band from 5,001 is shown as beginning at 5k, one of a single amount by that amount. */
export function bandHead({ from, to }: { readonly from: number; readonly to: number | null }): string {
  if (from === to) return shortAmount(from);
  const low = from > 1 && (from - 1) % 100 === 0 ? shortAmount(from - 1) : shortAmount(from <= 1 ? 0 : from);
  if (to === null) return from <= 1 ? 'Any amount' : `over ${low}`;
  return `${low} – ${shortAmount(to)}`;
}

/** An edge of the map, short enough for a narrow column: `5k`, `1.5m`, `20,001`. */
export function shortAmount(value: number): string {
  if (value >= 1_000_000 && value % 100_000 === 0) return `${value / 1_000_000}m`;
  if (value >= 1_000 && value % 100 === 0) return `${value / 1_000}k`;
  return groupDigits(value);
}

/** Hundredths of a main unit as an exact decimal with its sign: `−1,250.50`. */
export function signedHundredths(value: bigint): string {
  const size = value < 0n ? -value : value;
  const decimal = `${size / 100n}.${(size % 100n).toString().padStart(2, '0')}`;
  return `${value === 0n ? '' : value < 0n ? '−' : '+'}${groupDecimal(decimal)}`;
}

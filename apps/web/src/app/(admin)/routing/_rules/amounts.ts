import type { Typed } from './document.ts';

/** `20000` as `20,000`. */
export function groupDigits(value: number | bigint): string {
  return value.toString().replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A number as it is, or what was typed instead in quotes. */
export function amountText(value: Typed): string {
  return typeof value === 'number' ? groupDigits(value) : `“${value}”`;
}

/** `NGN 0 to 5,000`, `NGN 20,001 and more`, `Any amount`. */
export function bandText(currency: string, { from, to }: { readonly from: Typed; readonly to: Typed | null }): string {
  if (to === null) return from === 0 || from === 1 ? 'Any amount' : `${currency} ${amountText(from)} and more`;
  return `${currency} ${amountText(from)} to ${amountText(to)}`;
}

/** An edge of the map, short enough for a narrow column: `5k`, `1.5m`, `20,001`. */
export function shortAmount(value: number): string {
  if (value >= 1_000_000 && value % 100_000 === 0) return `${value / 1_000_000}m`;
  if (value >= 1_000 && value % 100 === 0) return `${value / 1_000}k`;
  return groupDigits(value);
}

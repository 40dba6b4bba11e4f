import { groupDecimal } from '@switchyard/routing';

export { groupDecimal } from '@switchyard/routing';

const USUAL_DECIMALS = 2;
const decimals = new Map<string, number>();

/** The decimals that amounts of a currency have. */
function decimalsOf(currency: string): number {
  const known = decimals.get(currency);
  if (known !== undefined) return known;
  const found = /^[A-Z]{3}$/.test(currency)
    ? new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits
    : undefined;
  decimals.set(currency, found ?? USUAL_DECIMALS);
  return found ?? USUAL_DECIMALS;
}

/**
 * An exact decimal of a currency for people, its thousands grouped: whole amounts without decimals, others with all of the currency's, and more
 * where it has more: `2,500`, `377.50`, `0.015`. Two decimals where the currency is not known.
 */
export function formatDecimal(currency: string | null, decimal: string | bigint): string {
  const [whole = '', fraction = ''] = String(decimal).split('.');
  const significant = fraction.replace(/0+$/, '');
  return significant === ''
    ? groupDecimal(whole)
    : `${groupDecimal(whole)}.${significant.padEnd(decimalsOf(currency ?? ''), '0')}`;
}

/** The same for a column of figures, which line up: always with the currency's decimals, and a minus as wide as a plus: `−1,250.00`. */
export function formatAligned(currency: string, decimal: string): string {
  const [whole = '', fraction = ''] = decimal.replace('-', '').split('.');
  const shown = fraction.padEnd(decimalsOf(currency), '0');
  return `${decimal.startsWith('-') ? '−' : ''}${groupDecimal(whole)}${shown === '' ? '' : `.${shown}`}`;
}

/** An exact decimal with its currency: `NGN 377.50`. */
export function formatMoney(currency: string, decimal: string | bigint): string {
  return `${currency} ${formatDecimal(currency, decimal)}`;
}

/** A share as a percentage with one decimal, or a dash when there is nothing to have a share of. */
export function describeShare(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((part / whole) * 100).toFixed(1)}%`;
}

/** Change of a number since an earlier one: `+12%`, `−3%`; empty when there is nothing to compare with. */
export function describeChange(now: number, before: number): string {
  if (before === 0) return '';
  const percent = Math.round(((now - before) / before) * 100);
  if (percent === 0) return '±0%';
  return percent > 0 ? `+${percent}%` : `−${-percent}%`;
}

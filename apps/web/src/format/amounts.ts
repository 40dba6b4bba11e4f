import { formatDecimal, formatMoney, SHARE_FROM } from '@switchyard/routing';

export { formatDecimal, formatMoney, groupDecimal } from '@switchyard/routing';

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

/** How many of the finished payments were paid: `97.4%`, or `3 of 4` where fewer than twenty finished; a dash for none. */
export function successRate(paid: number, failed: number): string {
  const finished = paid + failed;
  if (finished === 0) return '–';
  return finished < SHARE_FROM ? `${paid} of ${finished}` : describeShare(paid, finished);
}

/** True if a change between two counts of payments may be shown in percent: both are at least twenty. */
export function isComparable(now: number, before: number): boolean {
  return now >= SHARE_FROM && before >= SHARE_FROM;
}

/** Digits after the point that amounts have at most. */
const PLACES = 30;

/** An exact decimal as a count of its smallest unit. */
function toParts(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.replace('-', '').split('.');
  const parts = BigInt(whole + fraction.padEnd(PLACES, '0'));
  return decimal.startsWith('-') ? -parts : parts;
}

/** The exact sum of decimals: `0`, `-12.5`. */
export function addDecimals(decimals: readonly string[]): string {
  const sum = decimals.reduce((total, decimal) => total + toParts(decimal), 0n);
  const digits = (sum < 0n ? -sum : sum).toString().padStart(PLACES + 1, '0');
  const fraction = digits.slice(-PLACES).replace(/0+$/, '');
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -PLACES)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** `a` less `b`, exactly. */
export function subtractDecimals(a: string, b: string): string {
  return addDecimals([a, b.startsWith('-') ? b.slice(1) : `-${b}`]);
}

/** The currency that all rows have which have any; null where they differ, and for no rows. */
export function oneCurrency(currencies: readonly (string | null)[]): string | null {
  const named = new Set(currencies.filter((currency) => currency !== null));
  const [currency = null] = named;
  return named.size === 1 ? currency : null;
}

/** A column of money in a table whose rows are known: the currency once in its title where all have the same, else in each cell. */
export function moneyColumn(title: string, rows: readonly { readonly currency: string | null }[]) {
  const currency = oneCurrency(rows.map((row) => row.currency));
  return {
    title: currency === null ? title : `${title}, ${currency}`,
    number: true,
    format: (of: string, amount: string | bigint) => (currency === null ? formatMoney(of, amount) : formatDecimal(of, amount)),
  } as const;
}

/** Largest amount of the main unit that routing takes. */
export const MAX_AMOUNT = 1_000_000_000_000;

/** Fewer payments or checkouts than this make no percentage: their counts are shown. */
export const SHARE_FROM = 20;

/** An integer with thousands separators: `1,234,567`. Locale-free, so that a stored sentence never differs by machine. */
export function groupDigits(value: number): string {
  if (value > -1000 && value < 1000) return String(value);
  const digits = String(Math.abs(value));
  let grouped = digits.slice(-3);
  for (let end = digits.length - 3; end > 0; end -= 3) {
    grouped = `${digits.slice(Math.max(0, end - 3), end)},${grouped}`;
  }
  return value < 0 ? `-${grouped}` : grouped;
}

/** An exact decimal with thousands separators in its whole part: `-12,500.5`, however large. */
export function groupDecimal(decimal: string | bigint): string {
  return String(decimal).replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(?:\d{3})+$)/g, ','));
}

const USUAL_DECIMALS = 2;
const decimals = new Map<string, number>();

/** The decimals that amounts of a currency have, by ISO 4217; two where the currency is not known. */
export function decimalsOf(currency: string | null): number {
  if (currency === null || !/^[A-Z]{3}$/.test(currency)) return USUAL_DECIMALS;
  const known = decimals.get(currency);
  if (known !== undefined) return known;
  const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
  const found = maximumFractionDigits ?? USUAL_DECIMALS;
  decimals.set(currency, found);
  return found;
}

/**
 * An exact amount of money without its currency, thousands separated: always with the decimals of the currency, and with more where it
 * has more: `2,500.00`, `−377.50`, `0.015`. Trailing zeros beyond the currency's decimals are left out. A negative one has a minus sign
 * as wide as a digit.
 */
export function formatDecimal(currency: string | null, amount: string | bigint | number): string {
  const text = String(amount);
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const shown = fraction.replace(/0+$/, '').padEnd(decimalsOf(currency), '0');
  return `${text.startsWith('-') ? '−' : ''}${groupDecimal(whole)}${shown === '' ? '' : `.${shown}`}`;
}

/** An exact amount of money: `NGN 2,500.00`, `JPY 2,500`. The one form of money in sentences, pages and messages. */
export function formatMoney(currency: string, amount: string | bigint | number): string {
  return `${currency} ${formatDecimal(currency, amount)}`;
}

/** A bound of whole main units as it was entered, such as of a rule's band or an account's limits: `NGN 2,500`. Money: {@link formatMoney}. */
export function formatBound(currency: string, amount: number): string {
  return `${currency} ${groupDigits(amount)}`;
}

/** Hundredths of the main unit for people: `NGN 147.81`. Exact for bigint and for any safe integer. */
export function formatHundredths(currency: string, hundredths: number | bigint): string {
  const value = BigInt(hundredths);
  const size = value < 0n ? -value : value;
  const whole = groupDecimal(size / 100n);
  const rest = String(size % 100n).padStart(2, '0');
  return `${currency} ${value < 0n ? '-' : ''}${whole}.${rest}`;
}

/** Largest amount of the main unit that routing takes. */
export const MAX_AMOUNT = 1_000_000_000_000;

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

/** An amount of the main unit for people: `NGN 2,500`. */
export function formatAmount(currency: string, amount: number): string {
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

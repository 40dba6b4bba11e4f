/**
 * Exact amounts. Money crosses the wire as kobo or as decimal naira, in JSON numbers or in strings; here it is only ever bigint
 * or canonical decimal text, so nothing is ever rounded.
 *
 * A canonical decimal has no sign, no leading zeros and no trailing zeros after the point: `0`, `1000`, `999.5`.
 */

/** An amount as JSON carries it. Numbers too long for a double must come as text, see `parseWireJson`. */
export type WireAmount = string | number;

/** Longest integer or fractional part taken from the wire; nothing real comes near it. */
const maxDigits = 30;

const decimalPattern = /^(\d{1,40})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,3}))?$/;

/** Whole main units (naira) in minor units (kobo). */
export function mainToMinor(amount: bigint, minorDigits = 2): bigint {
  return amount * 10n ** BigInt(minorDigits);
}

/** A count of minor units (kobo) on the wire as a canonical decimal of the main unit (naira), or null when the wire holds anything else. */
export function readMinorAsDecimal(value: WireAmount | null | undefined): string | null {
  const minor = readMinor(value);
  return minor === null ? null : minorToDecimal(minor);
}

/** Minor units (kobo) as a canonical decimal of the main unit (naira). The amount must not be negative. */
export function minorToDecimal(minor: bigint, minorDigits = 2): string {
  if (minor < 0n) throw new RangeError('an amount cannot be negative');
  const digits = minor.toString().padStart(minorDigits + 1, '0');
  const point = digits.length - minorDigits;
  return canonical(digits.slice(0, point), digits.slice(point));
}

/** A canonical decimal of the main unit in minor units (kobo). Throws where it has a part of one. */
export function decimalToMinor(amount: string, minorDigits = 2): bigint {
  const [whole = '', fraction = ''] = amount.split('.');
  if (fraction.length > minorDigits) throw new RangeError(`${amount} has more than ${minorDigits} decimals`);
  return BigInt(whole + fraction.padEnd(minorDigits, '0'));
}

/** Minor units (kobo) as a canonical decimal of the main unit, with a leading `-` where they are negative. */
export function signedMinorToDecimal(minor: bigint, minorDigits = 2): string {
  return minor < 0n ? `-${minorToDecimal(-minor, minorDigits)}` : minorToDecimal(minor, minorDigits);
}

/** A whole, non-negative count of minor units, or null when the wire holds anything else. */
export function readMinor(value: WireAmount | null | undefined): bigint | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null;
  return value.length <= maxDigits && /^\d+$/.test(value) ? BigInt(value) : null;
}

/** A non-negative amount of the main unit as a canonical decimal, or null when the wire holds anything else. */
export function readDecimal(value: WireAmount | null | undefined): string | null {
  if (typeof value === 'number' && Object.is(value, -0)) return null;
  const match = decimalPattern.exec(String(value));
  if (match === null) return null;
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const text = shiftPoint(whole, fraction, Number(exponent));
  const [wholeText = '', fractionText = ''] = text.split('.');
  return wholeText.length > maxDigits || fractionText.length > maxDigits ? null : text;
}

/** Negative, zero or positive as `a` is less than, equal to or greater than `b`. Both must be canonical. */
export function compareDecimals(a: string, b: string): number {
  const [wholeA = '', fractionA = ''] = a.split('.');
  const [wholeB = '', fractionB = ''] = b.split('.');
  if (wholeA.length !== wholeB.length) return wholeA.length - wholeB.length;
  if (wholeA !== wholeB) return wholeA < wholeB ? -1 : 1;
  if (fractionA === fractionB) return 0;
  return fractionA < fractionB ? -1 : 1;
}

/** The exact sum of canonical decimals, which may have a leading `-`. */
export function sumDecimals(amounts: readonly string[]): string {
  const digits = Math.max(0, ...amounts.map((amount) => (amount.split('.')[1] ?? '').length));
  const total = amounts.reduce((sum, amount) => {
    const [whole = '', fraction = ''] = amount.split('.');
    return sum + BigInt(whole + fraction.padEnd(digits, '0'));
  }, 0n);
  return signedMinorToDecimal(total, digits);
}

/** The canonical decimal with the other sign. */
export function negateDecimal(amount: string): string {
  if (amount === '0') return amount;
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}

/** Whole units for a JSON body: a number while a double holds it exactly, else text. */
export function wireInteger(amount: bigint): WireAmount {
  return amount <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(amount) : amount.toString();
}

function shiftPoint(whole: string, fraction: string, exponent: number): string {
  const digits = whole + fraction;
  const point = whole.length + exponent;
  if (point <= 0) return canonical('0', '0'.repeat(-point) + digits);
  if (point >= digits.length) return canonical(digits + '0'.repeat(point - digits.length), '');
  return canonical(digits.slice(0, point), digits.slice(point));
}

function canonical(whole: string, fraction: string): string {
  const wholeText = whole.replace(/^0+(?=\d)/, '');
  const fractionText = fraction.replace(/0+$/, '');
  return fractionText === '' ? wholeText : `${wholeText}.${fractionText}`;
}

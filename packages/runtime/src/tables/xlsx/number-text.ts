/** Digits that a spreadsheet keeps of a number. */
const DIGITS = 15;
/** Larger exponents are no amount, day or reference. */
const EXPONENT_MAX = 40;

/** A number of a workbook as a decimal. */
export interface NumberText {
  readonly text: string;
  /** True if it has more than 15 digits and zeros from the 16th on, by which a spreadsheet replaces the digits that it does not keep. */
  readonly isShortened: boolean;
}

/**
 * A number of a workbook as an exact decimal without exponent; null where the file has not kept its digits. A whole number keeps each of them,
 * however many: references are numbers to a spreadsheet. A fraction is rounded to 15 digits, because a spreadsheet computes in binary
 * fractions, and shows 985 where its file says 985.0000000000001.
 */
export function numberText(written: string): NumberText | null {
  const [, sign = '', whole, fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,4}))?$/i.exec(written.trim()) ?? [];
  if (whole === undefined || whole + fraction === '' || Math.abs(Number(exponent)) > EXPONENT_MAX) return null;
  const decimal = shift(whole + fraction, fraction.length - Number(exponent));
  const [integer = '', decimals = ''] = decimal.split('.');
  const significant = decimal.replace('.', '').replace(/^0+/, '');
  const isNegative = sign === '-' && decimal !== '0';
  const signed = (text: string) => (isNegative ? `-${text}` : text);
  const isShortened = decimals === '' && integer.length > DIGITS && /^0+$/.test(integer.slice(DIGITS));
  if (significant.replace(/0+$/, '').length <= DIGITS) return { text: signed(decimal), isShortened };
  if (decimals === '' && Number(exponent) === 0) return { text: signed(decimal), isShortened };
  if (integer.length > DIGITS) {
    // Seventeen digits with an exponent name one binary number: where it is whole, these are its digits.
    const value = Number(decimal);
    return Number.isSafeInteger(value) ? { text: signed(String(value)), isShortened } : null;
  }
  const rounded = numberText(Number(decimal).toPrecision(DIGITS));
  return rounded === null ? null : { ...rounded, text: signed(rounded.text) };
}

/** Digits with a point before the last `decimals` of them, in the shortest form. */
function shift(digits: string, decimals: number): string {
  const padded = decimals < 0 ? digits.padEnd(digits.length - decimals, '0') : digits.padStart(decimals + 1, '0');
  const point = padded.length - Math.max(0, decimals);
  const whole = padded.slice(0, point).replace(/^0+(?=\d)/, '');
  const fraction = padded.slice(point).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

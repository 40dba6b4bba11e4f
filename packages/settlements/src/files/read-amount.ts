/** How amounts are written. */
export interface AmountFormat {
  readonly unit: 'main' | 'minor';
  readonly decimalMark: '.' | ',';
}

const DIGITS_MAX = 24;
const DECIMALS_MAX = 6;
const MINOR_DECIMALS = 2;

/**
 * An amount of a file as an exact canonical decimal of the main unit; null when the text is none. Negative ones have a minus before or behind
 * them, brackets, or `DR`; a currency beside the number is left out.
 */
export function readAmount(text: string, { unit, decimalMark }: AmountFormat): string | null {
  const { digits, negative } = withoutSign(text);
  const [whole = '', fraction = '', ...rest] = digits.split(decimalMark);
  const isNumber = rest.length === 0 && isGrouped(whole) && /^\d*$/.test(fraction) && (fraction !== '' || whole === digits);
  if (!isNumber) return null;
  const places = unit === 'minor' ? MINOR_DECIMALS : 0;
  const all = whole.replaceAll(/\D/g, '').padStart(places + 1, '0') + fraction;
  const point = all.length - fraction.length - places;
  const main = all.slice(0, point).replace(/^0+(?=\d)/, '');
  const decimals = all.slice(point).replace(/0+$/, '');
  if (main.length > DIGITS_MAX || decimals.length > DECIMALS_MAX) return null;
  const decimal = decimals === '' ? main : `${main}.${decimals}`;
  return negative && decimal !== '0' ? `-${decimal}` : decimal;
}

function withoutSign(text: string): { readonly digits: string; readonly negative: boolean } {
  const bare = text
    .trim()
    .replace('−', '-')
    .replace(/^([-(+]?)\s*(?:[A-Z]{3}|[₦$£€])\s*/, '$1')
    .replace(/\s*(?:NGN|USD|GBP|EUR|GHS|KES|ZAR)(\)?)$/, '$1');
  const [, bracketed] = /^\((.+)\)$/.exec(bare) ?? [];
  if (bracketed !== undefined) return { digits: bracketed.trim(), negative: true };
  const [, before = '', number = '', after = ''] = /^([-+]?)\s*(.*?)\s*(-|\bDR|\bCR|(?<=\d)DR|(?<=\d)CR)?$/i.exec(bare) ?? [];
  const signs = [before, after.toUpperCase()];
  return { digits: number, negative: signs.includes('-') || signs.includes('DR') };
}

/** Digits alone, or in groups of three behind one and the same separator. */
function isGrouped(whole: string): boolean {
  return /^\d+$/.test(whole) || /^\d{1,3}(?:([.,'’ \u00a0\u202f])\d{3})(?:\1\d{3})*$/.test(whole);
}

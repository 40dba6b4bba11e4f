import { groupDecimal } from '#/format/amounts.ts';

/** What was typed as a plain decimal: without separators and anything but digits, one sign and one point. */
export function readNumber(text: string, decimals: number): string {
  const sign = text.trim().startsWith('-') ? '-' : '';
  const [whole = '', ...rest] = text.replace(/[^\d.]/g, '').split('.');
  if (rest.length === 0 || decimals === 0) return whole === '' ? sign : `${sign}${whole}`;
  return `${sign}${whole === '' ? '0' : whole}.${rest.join('').slice(0, decimals)}`;
}

/** A plain decimal with thousands separators; anything else as it is. */
export function showNumber(value: string): string {
  return /^-?\d+(\.\d*)?$/.test(value) ? groupDecimal(value) : value;
}

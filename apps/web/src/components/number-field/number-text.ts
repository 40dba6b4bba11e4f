import { groupDecimal } from '#/format/amounts.ts';

/** Typed text as a plain decimal: without separators and anything but digits, one sign and one point. */
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

/** A plain decimal changed by a step, within the limits; the step itself when there is none yet. Exact for whole numbers of any size. */
export function stepNumber(
  value: string,
  step: number,
  { min, max }: { readonly min?: number | undefined; readonly max?: number | undefined },
): string {
  const scale = Math.max(decimalsOf(value), decimalsOf(String(step)));
  const next = scaled(value, scale) + scaled(String(step), scale);
  const least = min === undefined ? undefined : scaled(String(min), scale);
  const greatest = max === undefined ? undefined : scaled(String(max), scale);
  const within = least !== undefined && next < least ? least : greatest !== undefined && next > greatest ? greatest : next;
  return unscaled(within, scale);
}

function decimalsOf(decimal: string): number {
  return decimal.split('.')[1]?.length ?? 0;
}

function scaled(decimal: string, scale: number): bigint {
  const [whole = '', fraction = ''] = decimal.replace('-', '').split('.');
  const digits = BigInt(`${whole}${fraction.slice(0, scale).padEnd(scale, '0')}` || '0');
  return decimal.startsWith('-') ? -digits : digits;
}

function unscaled(number: bigint, scale: number): string {
  const digits = (number < 0n ? -number : number).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  return `${number < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Digits after the decimal point of a currency's amounts, by ISO 4217. */
export function minorDigits(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

/** An exact decimal of the main unit in minor units, rounded half away from zero. */
export function toMinorUnits(decimal: string, digits: number): bigint {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? [];
  const kept = BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'));
  const rounded = (fraction[digits] ?? '0') >= '5' ? kept + 1n : kept;
  return sign === '-' ? -rounded : rounded;
}

/** Minor units as an amount of the main unit with all its digits: `1250.00`. */
export function fromMinorUnits(units: bigint, digits: number): string {
  const text = (units < 0n ? -units : units).toString().padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  return `${units < 0n ? '-' : ''}${whole}${digits === 0 ? '' : `.${text.slice(-digits)}`}`;
}

/** Maximum fraction digits of gateways' amounts; canonical decimals never have more. */
const PLACES = 30;

/** An exact decimal as a count of its smallest unit. */
function toParts(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.replace('-', '').split('.');
  const parts = BigInt(whole + fraction.padEnd(PLACES, '0').slice(0, PLACES));
  return decimal.startsWith('-') ? -parts : parts;
}

function toDecimal(parts: bigint): string {
  const digits = (parts < 0n ? -parts : parts).toString().padStart(PLACES + 1, '0');
  const whole = digits.slice(0, -PLACES);
  const fraction = digits.slice(-PLACES).replace(/0+$/, '');
  return `${parts < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** The exact sum of decimals of the main unit, canonical: `0`, `-12.5`. */
export function addDecimals(...decimals: readonly string[]): string {
  return toDecimal(decimals.reduce((sum, decimal) => sum + toParts(decimal), 0n));
}

/** `a` less `b`, exactly. */
export function subtractDecimals(a: string, b: string): string {
  return toDecimal(toParts(a) - toParts(b));
}

/** Whether two decimals are the same amount in any notation. */
export function sameDecimal(a: string, b: string): boolean {
  return toParts(a) === toParts(b);
}

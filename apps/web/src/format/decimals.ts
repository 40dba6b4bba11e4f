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

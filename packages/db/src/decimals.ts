import { Prisma } from './generated/client.ts';

/*
 * Exact decimals of the main currency unit as text, as numeric columns hold them and gateways report them: `0`, `-12.5`. Results are
 * canonical: no exponent, no zeros at the end.
 */

/** Sums and differences are exact up to this many digits; gateways' amounts have 60 at most. */
const PRECISION = 200;

const Exact = Prisma.Decimal.clone({ precision: PRECISION });

/** The sum of a few decimals. */
export function addDecimals(...decimals: readonly string[]): string {
  return sumDecimals(decimals);
}

/** The sum of decimals, however many: as arguments they would be too many for the stack. */
export function sumDecimals(decimals: readonly string[]): string {
  return decimals.reduce((sum, decimal) => sum.plus(decimal), new Exact(0)).toFixed();
}

/** `a` less `b`. */
export function subtractDecimals(a: string, b: string): string {
  return new Exact(a).minus(b).toFixed();
}

/** True if two decimals are the same amount in any notation. */
export function sameDecimal(a: string, b: string): boolean {
  return new Exact(a).equals(b);
}

/** Negative when `a` is less than `b`, positive when it is more, 0 when they are the same amount. */
export function compareDecimals(a: string, b: string): number {
  return new Exact(a).comparedTo(b);
}

/** Splits a decimal into whole units, which can be refunded, and the remainder, which cannot: `0` or `0.5`. */
export function wholeUnits(decimal: string): { readonly whole: bigint; readonly remainder: string } {
  const amount = new Exact(decimal);
  const whole = amount.trunc();
  return { whole: BigInt(whole.toFixed()), remainder: amount.minus(whole).toFixed() };
}

/** An amount without its sign. */
export function magnitude(amount: string): string {
  return amount.startsWith('-') ? amount.slice(1) : amount;
}

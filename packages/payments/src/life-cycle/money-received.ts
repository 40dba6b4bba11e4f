/**
 * Splits an exact decimal of the main unit into whole units, which can be refunded, and the remainder, which cannot (`0` or `0.5`).
 */
export function wholeUnits(amount: string): { readonly whole: bigint; readonly remainder: string } {
  const [units = '0', fraction = ''] = amount.split('.');
  const rest = fraction.replace(/0+$/, '');
  return { whole: BigInt(units), remainder: rest === '' ? '0' : `0.${rest}` };
}

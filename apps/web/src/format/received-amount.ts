import { formatDecimal } from './amounts.ts';
import { subtractDecimals } from './decimals.ts';

/**
 * How an exact decimal that was received differs from what was expected: `500.00 short`, `100.50 too much`; null when it does not.
 */
export function describeDifference(currency: string, expected: bigint, received: string): string | null {
  const difference = subtractDecimals(received, expected.toString());
  if (difference === '0') return null;
  return difference.startsWith('-')
    ? `${formatDecimal(currency, difference.slice(1))} short`
    : `${formatDecimal(currency, difference)} too much`;
}

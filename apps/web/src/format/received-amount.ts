import { formatDecimal } from './amounts.ts';
import { subtractDecimals } from './decimals.ts';

/**
 * How an exact decimal that was received differs from what was expected: `500 short`, `100.50 too much`; null when it does not.
 */
export function describeDifference(expected: bigint, received: string): string | null {
  const difference = subtractDecimals(received, expected.toString());
  if (difference === '0') return null;
  return difference.startsWith('-')
    ? `${formatDecimal(null, difference.slice(1))} short`
    : `${formatDecimal(null, difference)} too much`;
}

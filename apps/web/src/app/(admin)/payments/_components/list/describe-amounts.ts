import { groupDecimal } from '#/format/amounts.ts';

/** `from 1,000`, `up to 5,000`, `1,000–5,000`; empty for any. */
export function describeAmounts(min: number | null, max: number | null): string {
  const text = (amount: number) => groupDecimal(BigInt(amount));
  if (min !== null && max !== null) return min === max ? text(min) : `${text(min)}–${text(max)}`;
  if (min !== null) return `from ${text(min)}`;
  return max === null ? '' : `up to ${text(max)}`;
}

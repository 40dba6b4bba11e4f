import { addDecimals, compareDecimals, sameDecimal, subtractDecimals } from '@switchyard/db/decimals';
import type { LedgerEntry } from './entries.ts';

/**
 * The earliest consecutive deductions that add up to an amount exactly; null when none do. Gateways deduct what was refunded since the
 * payout before in one amount, so that they are next to each other.
 *
 * @param deductions oldest first, each negative, none of them settled
 */
export function coverDeduction(amount: string, deductions: readonly LedgerEntry[]): readonly LedgerEntry[] | null {
  let from = 0;
  let sum = '0';
  for (const [at, entry] of deductions.entries()) {
    sum = addDecimals(sum, entry.amount);
    while (from < at && compareDecimals(sum, amount) < 0) {
      sum = subtractDecimals(sum, deductions[from]?.amount ?? '0');
      from += 1;
    }
    if (sameDecimal(sum, amount)) return deductions.slice(from, at + 1);
  }
  return null;
}

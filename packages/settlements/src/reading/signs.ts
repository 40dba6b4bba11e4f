import type { ListedSettlementLine } from '@switchyard/gateways';
import type { SettlementMapping, WordMeaning } from './mapping.ts';
import { negate } from './read-values.ts';

/** Amounts of a row as they are written. */
export interface WrittenAmounts {
  /** Null where the row has none that can be read. */
  readonly amount: string | null;
  readonly fee: string | null;
  /** Meaning of the row's word of direction; null where it has none. */
  readonly direction: 'credit' | 'debit' | null;
}

/** How a file writes which way money went. */
export interface SignsOfFile {
  /** True if a fee with a minus was charged, since those of payments have one. */
  readonly isFeeNegative: boolean;
  /** True if amounts that are marked as debits have a minus as well. */
  readonly isDebitNegative: boolean;
}

/** Finds out from all rows of a file what a minus means where a column says the direction too. */
export function signsOf(rows: readonly WrittenAmounts[]): SignsOfFile {
  const fees = rows.filter((row) => row.fee !== null && row.fee !== '0' && isPositive(row.amount) && row.direction !== 'debit');
  const negativeFees = fees.filter(({ fee }) => !isPositive(fee));
  const debits = rows.filter(({ amount, direction }) => direction === 'debit' && amount !== null && amount !== '0');
  return {
    isFeeNegative: negativeFees.length * 2 > fees.length,
    isDebitNegative: debits.length > 0 && debits.every(({ amount }) => !isPositive(amount)),
  };
}

function isPositive(amount: string | null): boolean {
  return amount !== null && !amount.startsWith('-');
}

/** The amount by which the payout is more, negative where it is less, of an amount as the file writes it. */
export function signedAmount(
  {
    amount,
    direction,
    meaning,
  }: { readonly amount: string; readonly direction: WrittenAmounts['direction']; readonly meaning: WordMeaning },
  { signs }: Pick<SettlementMapping, 'signs'>,
  { isDebitNegative }: SignsOfFile,
): string {
  if (direction !== null) return direction === 'debit' && !isDebitNegative ? negate(amount) : amount;
  const takesOff = meaning === 'refund' || meaning === 'fee' || meaning === 'chargeback';
  return signs === 'by_kind' && takesOff ? negate(amount) : amount;
}

/** The kind of line that a word means. */
export function kindOf(meaning: Exclude<WordMeaning, 'skip'>): ListedSettlementLine['kind'] {
  switch (meaning) {
    case 'refund_returned':
      return 'refund';
    case 'fee_returned':
      return 'fee';
    case 'chargeback_returned':
      return 'chargeback';
    default:
      return meaning;
  }
}

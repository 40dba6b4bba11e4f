import type { Reversal } from '../life-cycle/payment-record.ts';

/** A reversal as the columns of a payment have it. */
export interface ReversalColumns {
  /** Exact decimal of the main unit. */
  readonly reversedAmount: string;
  readonly reversedAt: Date | null;
  readonly reversalCause: string | null;
}

/** The reversal in a payment's columns. */
export function toReversal({ reversedAmount, reversedAt, reversalCause }: ReversalColumns): Reversal {
  if (reversedAt === null) return NOT_REVERSED;
  return { amount: reversedAmount, cause: reversalCause === 'chargeback' ? 'chargeback' : 'gateway', at: reversedAt };
}

/** Nothing is taken back. */
export const NOT_REVERSED: Reversal = { amount: '0', cause: null, at: null };

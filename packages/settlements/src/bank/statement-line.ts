import type { UnreadableCell } from '../files/read-settlement-file.ts';
import type { SkippedRow } from '../files/skipped-rows.ts';

/** An amount on a bank account, as a statement has it. */
export interface StatementLine {
  readonly bankAccount: string;
  /** `YYYY-MM-DD`. */
  readonly bookedOn: string;
  /** Exact decimal of the main unit, negative where it left the account. */
  readonly amount: string;
  readonly currency: string;
  /** Everything that the bank says of it. */
  readonly text: string;
}

/** What a form of statement has: its lines, what is none, and what cannot be read. */
export interface ReadLines {
  readonly lines: readonly StatementLine[];
  readonly skipped: readonly SkippedRow[];
  readonly problems: readonly UnreadableCell[];
}

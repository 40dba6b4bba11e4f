import type { SettlementLineKind } from '@switchyard/db/client';

/** Kinds of money that a line can be linked to. */
export type EntryKind = 'payment' | 'duplicate' | 'refund' | 'reversal' | 'dispute';

/** Money of the ledger that a gateway settles: received, or deducted. Amounts are exact decimals of the main unit. */
export interface LedgerEntry {
  /** Identity: `payment/<id>`, `duplicate/<id>`, `refund/<id>`, `reversal/<payment id>`, `dispute/<id>`. */
  readonly subject: string;
  readonly kind: EntryKind;
  readonly paymentId: string;
  readonly refundId: string | null;
  readonly disputeId: string | null;
  /** References that a line about it may carry. */
  readonly references: readonly string[];
  readonly transactionIds: readonly string[];
  readonly currency: string;
  /** Before fees; negative where it is deducted. */
  readonly amount: string;
  /** The gateway's fee, without a sign; null where it is not known, and any fee is as expected. */
  readonly fee: string | null;
  /**
   * The charges that are compared with a contract, and not here: its fee, or its stamp duty as well. Absent where it is not known what it
   * should be.
   */
  readonly audited?: 'fee' | 'fee_and_duty';
  /** `open`: it may be settled or not (a refund that is processed, a dispute that is open). `void`: nothing of it should be. */
  readonly stance: 'due' | 'open' | 'void';
  readonly occurredAt: Date;
  /** Day by which it should be settled, `YYYY-MM-DD`; null where it is not awaited, and only compared once it is. */
  readonly expectedOn: string | null;
  /**
   * Day by which it was due at a time of which not all payouts are known, so that it is not awaited; once a part of it is settled, the rest is.
   * Absent otherwise.
   */
  readonly dueOn?: string;
}

/** A line of a paid settlement. */
export interface MatchLine {
  /** Increases in the order in which lines were stored. */
  readonly lineId: string;
  readonly kind: SettlementLineKind;
  /** Negative where it takes off the net amount. */
  readonly amount: string;
  readonly currency: string;
  readonly reference: string | null;
  readonly transactionId: string | null;
  readonly occurredAt: Date | null;
  /** Day of the payout. */
  readonly settledOn: string | null;
  /** Subjects of the entries that it is linked to; empty until it is. */
  readonly subjects: readonly string[];
}

/** The entries that a line is linked to, and by which of its fields. */
export interface LineLink {
  readonly subjects: readonly string[];
  readonly by: 'REFERENCE' | 'TRANSACTION' | 'AMOUNT_AND_TIME';
}

/** The day by which an entry should be settled, given whether anything of it is; null where it is not awaited. */
export function expectedDay({ expectedOn, dueOn }: LedgerEntry, isAnySettled: boolean): string | null {
  return expectedOn ?? (isAnySettled ? (dueOn ?? null) : null);
}

/** True if money is received with it, not deducted. */
export function isReceipt({ kind }: Pick<LedgerEntry, 'kind'>): boolean {
  return kind === 'payment' || kind === 'duplicate';
}

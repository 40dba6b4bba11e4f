import type { JsonValue } from '@switchyard/db';
import type { Mode, PaymentStatus, RefundState } from '@switchyard/db/client';
import type { ListedPayment, ListedRefund } from '@switchyard/gateways';

/** An attempt of ours, with what its payment says. Amounts are exact decimals of the main unit. */
export interface LedgerPayment {
  readonly paymentId: string;
  readonly attemptId: string;
  readonly merchantOrderId: string;
  readonly reference: string;
  readonly transactionId: string | null;
  /** Whether we hold that money came for this attempt. */
  readonly paid: boolean;
  /** What came for this attempt; where none did, what was asked for. */
  readonly amount: string;
  readonly currency: string;
  readonly status: PaymentStatus;
  /** Money came that did not match, and waits for a person. */
  readonly underReview: boolean;
  /** Sum of this attempt's refunds that have not failed. */
  readonly refunded: string;
  /** The payment's fee, where this attempt is the one that paid it and none is on record. */
  readonly lacksFee: boolean;
  readonly createdAt: Date;
  readonly paidAt: Date | null;
}

/** Money that came for a payment that had been paid. */
export interface LedgerDuplicate {
  readonly paymentId: string;
  readonly attemptId: string;
  readonly reference: string;
  readonly transactionId: string;
  readonly amount: string;
  readonly currency: string;
  readonly state: string;
}

export interface LedgerRefund {
  readonly refundId: string;
  readonly paymentId: string;
  readonly reference: string;
  readonly gatewayRefundId: string | null;
  readonly amount: string;
  readonly currency: string;
  readonly state: RefundState;
  readonly createdAt: Date;
}

/** What our books say of one account's day. */
export interface Ledger {
  /** Attempts whose reference the gateway listed, and those of the day for which we hold that money came. */
  readonly payments: readonly LedgerPayment[];
  readonly duplicates: readonly LedgerDuplicate[];
  /** Refunds the gateway listed, and those of the day. */
  readonly refunds: readonly LedgerRefund[];
}

/** What the gateway's list says. */
export interface Statement {
  /** Created within the day. */
  readonly payments: readonly ListedPayment[];
  readonly refunds: readonly ListedRefund[];
  /** References, transaction ids and refund ids listed on the days beside it, where something of ours was looked for. */
  readonly elsewhere: ReadonlySet<string>;
}

export type DiscrepancyKind = 'MISSING_HERE' | 'MISSING_THERE' | 'STATUS' | 'CURRENCY' | 'AMOUNT';

/** What one side says, as it is kept and shown. */
export type Side = { readonly [name: string]: JsonValue };

/** Money a side counts; null where it counts none. */
export interface Counted {
  readonly amount: string;
  readonly currency: string;
}

/** One thing on which the two sides do not agree. */
export interface FoundDifference {
  readonly kind: DiscrepancyKind;
  readonly about: 'payment' | 'refund';
  readonly subject: string;
  readonly paymentId: string | null;
  readonly refundId: string | null;
  readonly reference: string | null;
  readonly transactionId: string | null;
  readonly ours: Side | null;
  readonly theirs: Side | null;
  /** By how much each side's total is moved by it. */
  readonly counted: { readonly ours: Counted | null; readonly theirs: Counted | null };
}

/** What both sides come to, in one currency. Exact decimals of the main unit. */
export interface CurrencyTotals {
  readonly currency: string;
  readonly ours: { readonly count: number; readonly amount: string };
  readonly theirs: { readonly count: number; readonly amount: string };
  /** Of the payments the gateway says were paid, as far as it tells. */
  readonly fees: string;
  readonly oursRefunded: { readonly count: number; readonly amount: string };
  readonly theirsRefunded: { readonly count: number; readonly amount: string };
}

export interface Comparison {
  readonly differences: readonly FoundDifference[];
  readonly totals: readonly CurrencyTotals[];
  /** Fees the gateway states of payments that have none on record. */
  readonly fees: readonly { readonly paymentId: string; readonly fee: string }[];
  /** Attempts the gateway says were paid and we do not: to be asked about at once. */
  readonly askAgain: readonly { readonly attemptId: string; readonly transactionId: string }[];
}

export interface ReconciliationKey {
  readonly merchantId: string;
  readonly accountId: string;
  readonly mode: Mode;
  readonly gateway: string;
  /** `YYYY-MM-DD`. */
  readonly day: string;
}

import type { JsonValue } from '@switchyard/db';
import type { Mode, PaymentStatus, RefundState } from '@switchyard/db/client';
import type { ListedPayment, ListedRefund } from '@switchyard/gateways';

/** An attempt with its payment's fields. Amounts are exact decimals of the main unit. */
export interface LedgerPayment {
  readonly paymentId: string;
  readonly attemptId: string;
  readonly merchantOrderId: string;
  readonly reference: string;
  readonly transactionId: string | null;
  /** True if the ledger has money for this attempt. */
  readonly paid: boolean;
  /** The amount received for this attempt, else the amount of the order. */
  readonly amount: string;
  readonly currency: string;
  readonly status: PaymentStatus;
  /** Mismatched money awaits review. */
  readonly underReview: boolean;
  /** Sum of this attempt's refunds that have not failed. */
  readonly refunded: string;
  /** Amount of the payment that the gateway took back, where this attempt paid it. */
  readonly reversed: string;
  /** The payment's fee, where this attempt is the one that paid it and none is on record. */
  readonly lacksFee: boolean;
  readonly createdAt: Date;
  readonly paidAt: Date | null;
}

/** Money received for a payment that was already paid. */
export interface LedgerDuplicate {
  readonly paymentId: string;
  readonly attemptId: string;
  readonly reference: string;
  readonly transactionId: string;
  readonly amount: string;
  readonly currency: string;
  readonly state: string;
}

/**
 * A refund in the ledger. `amount` is an exact decimal of the main unit; `gatewayRefundId` is null until the gateway accepted
 * it.
 */
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

/** The ledger of one account's day. */
export interface Ledger {
  /** Attempts whose reference the gateway listed, and those of the day that are paid. */
  readonly payments: readonly LedgerPayment[];
  readonly duplicates: readonly LedgerDuplicate[];
  /** Refunds the gateway listed, and those of the day. */
  readonly refunds: readonly LedgerRefund[];
}

/** The gateway's statement. */
export interface Statement {
  /** Created within the day. */
  readonly payments: readonly ListedPayment[];
  /** Null where the gateway lists none: refunds are then not compared. */
  readonly refunds: readonly ListedRefund[] | null;
  /** References, transaction ids and refund ids listed on the days beside it, where entries of the ledger were missing. */
  readonly elsewhere: ReadonlySet<string>;
}

/** How the sides differ: `MISSING_HERE` is on the statement alone, `MISSING_THERE` in the ledger alone. */
export type DiscrepancyKind = 'MISSING_HERE' | 'MISSING_THERE' | 'STATUS' | 'CURRENCY' | 'AMOUNT';

/** One side of a discrepancy, as stored and shown. */
export type Side = { readonly [name: string]: JsonValue };

/** Money that a side counts. */
export interface Counted {
  readonly amount: string;
  readonly currency: string;
}

/** A mismatch between both sides. */
export interface FoundDiscrepancy {
  readonly kind: DiscrepancyKind;
  readonly about: 'payment' | 'refund';
  readonly subject: string;
  readonly paymentId: string | null;
  readonly refundId: string | null;
  readonly reference: string | null;
  readonly transactionId: string | null;
  readonly ledger: Side | null;
  readonly statement: Side | null;
  /** Contribution to the total of each side. */
  readonly counted: { readonly ledger: Counted | null; readonly statement: Counted | null };
}

/** Totals of both sides in one currency, as exact decimals of the main unit. */
export interface CurrencyTotals {
  readonly currency: string;
  readonly ledger: { readonly count: number; readonly amount: string };
  readonly statement: { readonly count: number; readonly amount: string };
  /** Fees of the statement's paid payments, where it has them. */
  readonly fees: string;
  readonly ledgerRefunded: { readonly count: number; readonly amount: string };
  readonly statementRefunded: { readonly count: number; readonly amount: string };
}

/** The result of comparing a day's ledger with its statement. */
export interface Comparison {
  readonly discrepancies: readonly FoundDiscrepancy[];
  readonly totals: readonly CurrencyTotals[];
  /** The statement's fees of payments without a recorded one. */
  readonly fees: readonly { readonly paymentId: string; readonly fee: string }[];
  /** Attempts paid on the statement and not in the ledger, to be verified at once. */
  readonly attemptsToVerify: readonly { readonly attemptId: string; readonly transactionId: string }[];
}

/** One account's day to reconcile. */
export interface ReconciliationKey {
  readonly merchantId: string;
  readonly accountId: string;
  readonly mode: Mode;
  readonly gateway: string;
  /** `YYYY-MM-DD`. */
  readonly day: string;
}

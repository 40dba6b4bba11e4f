import type { PaymentStatus } from '@switchyard/db/client';

/** A payment that other rules send to another account first: found by a replay, or recorded in shadow. */
export interface MovedPayment {
  readonly paymentId: string;
  readonly merchantOrderId: string;
  readonly createdAt: Date;
  readonly status: PaymentStatus;
  /** Whole main units. */
  readonly amount: bigint;
  readonly currency: string;
  readonly method: string | null;
  /** The first account by the rules in force, and by the others; null for none. */
  readonly from: string | null;
  readonly to: string | null;
  /** The rule of the others that decides it; null for their default order. */
  readonly ruleId: string | null;
}

/** Cursor of a list of moved payments: the last one read. */
export interface MovedPaymentKey {
  readonly createdAt: Date;
  readonly paymentId: string;
}

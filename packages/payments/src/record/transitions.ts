import type { PaymentStatus } from '@switchyard/db/client';

/** Every allowed transition of a payment. */
export const TRANSITIONS: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  /** A gateway opened a checkout, or every planned gateway failed. */
  INITIATED: ['PENDING', 'FAILED'],
  /**
   * The gateway proved payment, or proved that nothing was paid. Without proof there is no transition: a week after the session ended the
   * payment goes to review (`path/sweeping/settle-overdue.ts`), in this status.
   */
  PENDING: ['SUCCESS', 'FAILED'],
  /** Late proof of payment. */
  FAILED: ['SUCCESS'],
  /** Refunds reached the full amount. */
  SUCCESS: ['REFUNDED'],
  REFUNDED: [],
};

/** True if a payment may change from one status to another. */
export function canTransition(from: PaymentStatus, to: PaymentStatus): boolean {
  return TRANSITIONS[from].includes(to);
}

/** `executionStatus` as documented in the REST API. */
export type ExecutionStatus = 'processing' | 'succeeded' | 'failed' | 'refunded';

/** The documented `executionStatus` of a status. */
export function executionStatus(status: PaymentStatus): ExecutionStatus {
  switch (status) {
    case 'INITIATED':
    case 'PENDING':
      return 'processing';
    case 'SUCCESS':
      return 'succeeded';
    case 'FAILED':
      return 'failed';
    case 'REFUNDED':
      return 'refunded';
    default:
      return status satisfies never;
  }
}

/** `type` of an event record that a status change writes. */
export type StatusEventType = 'payment.pending' | 'payment.succeeded' | 'payment.failed' | 'payment.refunded';

/** The documented `type` of the event record of a status. */
export function eventType(status: PaymentStatus): StatusEventType {
  switch (status) {
    case 'INITIATED':
    case 'PENDING':
      return 'payment.pending';
    case 'SUCCESS':
      return 'payment.succeeded';
    case 'FAILED':
      return 'payment.failed';
    case 'REFUNDED':
      return 'payment.refunded';
    default:
      return status satisfies never;
  }
}

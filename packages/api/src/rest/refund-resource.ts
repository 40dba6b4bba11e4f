import type { Refund } from '@switchyard/payments/refunds';

/** The Refund resource. */
export function refundResource(refund: Refund) {
  return {
    refundId: refund.id,
    paymentId: refund.paymentId,
    amount: Number(refund.amount),
    currency: refund.currency,
    status: STATUSES[refund.state],
    reason: refund.reason,
    failureReason: refund.state === 'FAILED' || refund.state === 'NEEDS_ATTENTION' ? refund.failureMessage : null,
    createdAt: refund.createdAt.toISOString(),
    updatedAt: refund.updatedAt.toISOString(),
  };
}

const STATUSES = {
  REQUESTED: 'PENDING',
  PROCESSING: 'PENDING',
  SUCCEEDED: 'SUCCESS',
  FAILED: 'FAILED',
  NEEDS_ATTENTION: 'NEEDS_ATTENTION',
} as const;

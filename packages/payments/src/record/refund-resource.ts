import type { Refund, RefundState } from '@switchyard/db/client';

/** The columns of a refund that its resource shows. */
export type DescribedRefund = Pick<
  Refund,
  'id' | 'paymentId' | 'amount' | 'currency' | 'state' | 'reason' | 'failureMessage' | 'createdAt' | 'updatedAt'
>;

/** The documented Refund resource. Amounts are whole main units. */
export interface RefundResource {
  readonly refundId: string;
  readonly paymentId: string;
  readonly amount: number;
  readonly currency: string;
  readonly status: (typeof STATUSES)[RefundState];
  readonly reason: string | null;
  readonly failureReason: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The Refund resource, of REST and of the events of a refund. */
export function refundResource(refund: DescribedRefund): RefundResource {
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
} as const satisfies Record<RefundState, string>;

import { isUuid } from '@switchyard/db';
import type { Mode, PaymentStatus, Refund } from '@switchyard/db/client';
import type { PaymentsContext } from '../record/context.ts';
import { subtractReversed, toReversal } from '../record/decide-reversal.ts';
import { findPaymentWithTimeline } from './console/payment-queries.ts';

/** The refundable amount of a payment, in whole main units. */
export interface Refundable {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly mode: Mode;
  readonly merchantOrderId: string;
  readonly status: PaymentStatus;
  readonly gateway: string;
  readonly currency: string;
  readonly amount: bigint;
  /** Refunded, as confirmed by gateways. */
  readonly refunded: bigint;
  /** In refunds that are in progress. */
  readonly underWay: bigint;
  /** Zero while the payment has not succeeded. */
  readonly refundable: bigint;
}

/** The refundable amount of a payment of one of these merchants; null when none has it. */
export async function describeRefundable(
  context: PaymentsContext,
  { merchantIds, paymentId }: { readonly merchantIds: readonly string[]; readonly paymentId: string },
): Promise<Refundable | null> {
  if (!isUuid(paymentId)) return null;
  const { database } = context.resources;
  const row = await database.inSnapshot((snapshot) => findPaymentWithTimeline(snapshot, merchantIds, paymentId));
  if (row === null) return null;
  const own = row.refunds.filter(({ duplicate, mismatched }) => !duplicate && !mismatched);
  const sumOf = (states: readonly Refund['state'][]) =>
    own.filter(({ state }) => states.includes(state)).reduce((sum, { amount }) => sum + amount, 0n);
  const underWay = sumOf(['REQUESTED', 'PROCESSING', 'NEEDS_ATTENTION']);
  const reversal = toReversal({ ...row, reversedAmount: row.reversedAmount.toFixed() });
  const left = subtractReversed(row.amount, reversal) - row.refundedAmount - underWay;
  const paid = row.attempts.find(({ state, duplicate }) => state === 'PAID' && !duplicate);
  return {
    merchantId: row.merchantId,
    paymentId: row.id,
    mode: row.mode,
    merchantOrderId: row.merchantOrderId,
    status: row.status,
    gateway: paid?.gateway ?? row.recommendedGateway,
    currency: row.currency,
    amount: row.amount,
    refunded: row.refundedAmount,
    underWay,
    refundable: row.status === 'SUCCESS' && left > 0n ? left : 0n,
  };
}

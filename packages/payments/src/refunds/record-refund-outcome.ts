import type { Refund, RefundState } from '@switchyard/db/client';
import type { PaymentsContext } from '../context.ts';
import { findRefund } from './queries.ts';
import { auditMoney, type MoneyAuthor } from './record-refund.ts';
import { settleRefund } from './settle-refund.ts';

/** A staff user's observation at the gateway of a refund that needs attention. */
export interface RefundObservation {
  readonly merchantId: string;
  readonly refundId: string;
  /** `SUCCEEDED`: the customer was paid; `FAILED`: they were not, and will not be. */
  readonly state: 'SUCCEEDED' | 'FAILED';
  readonly note: string;
}

/** Result of recording a refund's outcome, or the reason why it was refused. */
export type RecordRefundOutcome =
  | { readonly kind: 'recorded'; readonly refund: Refund }
  | { readonly kind: 'not_found' }
  /** Only a refund that needs attention is decided by a person; any other has its gateway's answer, or may still get it. */
  | { readonly kind: 'not_waiting'; readonly state: RefundState };

/**
 * Ends a refund that needs attention as a staff user saw it on the gateway's dashboard, with payment, merchant's events and audit row in
 * one transaction. A failed one frees its money: it may be refunded again, by another refund.
 */
export async function recordRefundOutcome(
  context: PaymentsContext,
  { merchantId, refundId, state, note }: RefundObservation,
  author: MoneyAuthor,
): Promise<RecordRefundOutcome> {
  const refund = await findRefund(context.resources.database, merchantId, refundId);
  if (refund === null) return { kind: 'not_found' };
  if (refund.state !== 'NEEDS_ATTENTION') return { kind: 'not_waiting', state: refund.state };
  const { amount, currency, gateway } = refund;
  const message = state === 'FAILED' ? `Recorded by staff: ${note}` : null;
  const result = { kind: 'reported', state, gatewayRefundId: null, message } as const;
  const after = await settleRefund(context, refund, result, author.cause, async (transaction, locked) => {
    const what = { action: 'refund.outcome_recorded', objectType: 'refund', objectId: refundId };
    const detail = { state, amount: amount.toString(), currency, gateway, note };
    await auditMoney(context, transaction, locked, what, detail, author);
  });
  return after.state === state ? { kind: 'recorded', refund: after } : { kind: 'not_waiting', state: after.state };
}

import { hintAfterCommit, transactWithHints } from '@switchyard/db';
import type { Refund, RefundState } from '@switchyard/db/client';
import type { PaymentsContext } from '../record/context.ts';
import { dismissFailedRefund, findRefund, lockPayment, readRefund } from '../record/refund-queries.ts';
import { addPaymentEvent, auditMoney, type MoneyAuthor, sendHint } from './record-refund.ts';
import { settleRefund } from './settle-refund.ts';

/** A staff user's observation at the gateway of a refund that needs attention. */
export interface RefundObservation {
  readonly merchantId: string;
  readonly refundId: string;
  /**
   * `SUCCEEDED`: the customer was paid; `FAILED`: they were not, and will not be; `REQUESTED`, of one that was held back: the gateway does
   * not have it, and it is sent now.
   */
  readonly state: 'SUCCEEDED' | 'FAILED' | 'REQUESTED';
  readonly note: string;
}

/** Result of recording a refund's outcome, or the reason why it was refused. */
export type RecordRefundOutcome =
  | { readonly kind: 'recorded'; readonly refund: Refund }
  | { readonly kind: 'not_found' }
  /** Only one that was held back is sent by a person's word: any other was sent before. */
  | { readonly kind: 'not_held' }
  /** Only a refund that needs attention is decided by a person; any other has its gateway's answer, or may still get it. */
  | { readonly kind: 'not_waiting'; readonly state: RefundState };

/**
 * Ends a refund that needs attention as a staff user saw it on the gateway's dashboard, or has one sent that was held back, with payment,
 * merchant's events and audit row in one transaction. A failed one frees its money: it may be refunded again, by another refund.
 */
export async function recordRefundOutcome(
  context: PaymentsContext,
  { merchantId, refundId, state, note }: RefundObservation,
  author: MoneyAuthor,
): Promise<RecordRefundOutcome> {
  const refund = await findRefund(context.resources.database, merchantId, refundId);
  if (refund === null) return { kind: 'not_found' };
  if (refund.state !== 'NEEDS_ATTENTION') return { kind: 'not_waiting', state: refund.state };
  if (state === 'REQUESTED' && refund.heldAt === null) return { kind: 'not_held' };
  const { amount, currency, gateway } = refund;
  const message = state === 'FAILED' ? `Recorded by staff: ${note}` : null;
  const result = state === 'REQUESTED' ? CLEARED : ({ kind: 'reported', state, gatewayRefundId: null, message } as const);
  const after = await settleRefund(context, refund, result, author.cause, async (transaction, locked) => {
    const what = { action: 'refund.outcome_recorded', objectType: 'refund', objectId: refundId };
    const detail = { state, amount: amount.toString(), currency, gateway, note };
    await auditMoney(context, transaction, locked, what, detail, author);
    if (state === 'REQUESTED') hintAfterCommit(transaction, [sendHint(merchantId, refundId)]);
  });
  return after.state === state ? { kind: 'recorded', refund: after } : { kind: 'not_waiting', state: after.state };
}

const CLEARED = { kind: 'cleared' } as const;

/** Result of dismissing a failed refund, or the reason why it was refused. */
export type DismissRefundOutcome =
  | { readonly kind: 'dismissed' }
  | { readonly kind: 'not_found' }
  /** It has not failed, or it belongs to a duplicate charge or a review, which are resolved as such. */
  | { readonly kind: 'not_failed'; readonly state: RefundState }
  /** Dismissed before, or replaced by another refund. */
  | { readonly kind: 'resolved' };

/** Dismisses a failed refund that needs no other, with a reason; timeline and audit row in one transaction. */
export async function dismissRefund(
  context: PaymentsContext,
  { merchantId, refundId, note }: { merchantId: string; refundId: string; note: string },
  author: MoneyAuthor,
): Promise<DismissRefundOutcome> {
  const { database } = context.resources;
  const found = await findRefund(database, merchantId, refundId);
  if (found === null) return { kind: 'not_found' };
  return transactWithHints(database, async (transaction): Promise<DismissRefundOutcome> => {
    const locked = await lockPayment(transaction, merchantId, found.paymentId);
    const refund = await readRefund(transaction, merchantId, refundId);
    if (locked === null || refund === null) return { kind: 'not_found' };
    const { state, duplicate, mismatched, amount, currency, gateway } = refund;
    if (state !== 'FAILED' || duplicate || mismatched) return { kind: 'not_failed', state };
    const resolution = { note, resolvedBy: author.actor, resolvedAt: context.now() };
    if (!(await dismissFailedRefund(transaction, { merchantId, refundId }, resolution))) return { kind: 'resolved' };
    const detail = { refundId, amount: amount.toString(), currency, gateway, note };
    const action = 'refund.dismissed';
    await addPaymentEvent(context, transaction, locked, { type: action, detail }, author);
    await auditMoney(context, transaction, locked, { action, objectType: 'refund', objectId: refundId }, detail, author);
    return { kind: 'dismissed' };
  });
}

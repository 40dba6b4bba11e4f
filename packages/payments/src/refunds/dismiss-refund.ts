import { transactWithHints } from '@switchyard/db';
import type { RefundState } from '@switchyard/db/client';
import type { PaymentsContext } from '../context.ts';
import { dismissFailedRefund, findRefund, lockPayment, readRefund } from './queries.ts';
import { addPaymentEvent, auditMoney, type MoneyAuthor } from './record-refund.ts';

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

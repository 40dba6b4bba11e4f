import { transactWithHints } from '@switchyard/db';
import type { PaymentsContext } from '../context.ts';
import { lockPayment } from '../refunds/queries.ts';
import { addPaymentEvent, auditMoney, type MoneyAuthor } from '../refunds/record-refund.ts';
import { changeDuplicateCharge, findDuplicateCharge, readDuplicateCharge } from './queries.ts';

/** Only an OPEN duplicate charge can be dismissed; `not_open` holds the state it has instead. */
export type DismissDuplicateOutcome =
  | { readonly kind: 'dismissed' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'not_open'; readonly state: 'REFUNDING' | 'REFUNDED' | 'DISMISSED' };

/** Dismisses a duplicate charge that needs no refund from us, with a reason; timeline and audit row in one transaction. */
export async function dismissDuplicate(
  context: PaymentsContext,
  { merchantId, duplicateChargeId, note }: { merchantId: string; duplicateChargeId: string; note: string },
  author: MoneyAuthor,
): Promise<DismissDuplicateOutcome> {
  const { database } = context.resources;
  const found = await findDuplicateCharge(database, merchantId, duplicateChargeId);
  if (found === null) return { kind: 'not_found' };
  return transactWithHints(database, async (transaction): Promise<DismissDuplicateOutcome> => {
    const locked = await lockPayment(transaction, merchantId, found.paymentId);
    const charge = await readDuplicateCharge(transaction, merchantId, duplicateChargeId);
    if (locked === null || charge === null) return { kind: 'not_found' };
    if (charge.state !== 'OPEN') return { kind: 'not_open', state: charge.state };
    const now = context.now();
    const dismissed = { state: 'DISMISSED', note, resolvedBy: author.actor, resolvedAt: now } as const;
    await changeDuplicateCharge(transaction, { merchantId, duplicateChargeId }, 'OPEN', dismissed, now);
    const detail = { duplicateChargeId, amount: charge.amount.toFixed(), currency: charge.currency, note };
    const action = 'duplicate_charge.dismissed';
    await addPaymentEvent(context, transaction, locked, { type: action, detail }, author);
    await auditMoney(
      context,
      transaction,
      locked,
      { action, objectType: 'duplicate_charge', objectId: duplicateChargeId },
      detail,
      author,
    );
    return { kind: 'dismissed' };
  });
}

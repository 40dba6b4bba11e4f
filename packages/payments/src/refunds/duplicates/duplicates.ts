import { aboutPayment, transactWithHints } from '@switchyard/db';
import type { Prisma, Refund } from '@switchyard/db/client';
import { wholeUnits } from '@switchyard/db/decimals';
import { formatMoney } from '@switchyard/routing';
import type { PaymentsContext } from '../../record/context.ts';
import { changeDuplicateCharge, findDuplicateCharge, readDuplicateCharge } from '../../record/duplicate-queries.ts';
import { lockPayment } from '../../record/refund-queries.ts';
import { addPaymentEvent, auditMoney, type HoldRefund, holdNone, type MoneyAuthor, recordRefund } from '../record-refund.ts';
import { remainingRefundable } from '../request-refund.ts';

/** Result of a request to refund a duplicate charge, or the reason why it was refused. */
export type RefundDuplicateOutcome =
  | { readonly kind: 'requested'; readonly refund: Refund }
  /** Fully refunded already, by another refund of the same transaction. */
  | { readonly kind: 'given_back' }
  | { readonly kind: 'not_found' }
  /** A refund of it is in progress, or it has been resolved. */
  | { readonly kind: 'not_open'; readonly state: 'REFUNDING' | 'REFUNDED' | 'DISMISSED' }
  /** Refunds use whole units: a fraction has to be refunded in the gateway's own dashboard. */
  | { readonly kind: 'not_whole'; readonly message: string };

const BY_ITSELF: MoneyAuthor = { actor: 'system:duplicates', cause: 'schedule' };

/**
 * Refunds the rest of a duplicate charge, through the account and transaction that received it. It does not count as a refund of
 * the payment. A repeated request refunds nothing more.
 */
export async function refundDuplicate<Blocked = never>(
  context: PaymentsContext,
  {
    merchantId,
    duplicateChargeId,
    refundId = context.newId(),
  }: { readonly merchantId: string; readonly duplicateChargeId: string /** The refund's id. */; readonly refundId?: string },
  author: MoneyAuthor = BY_ITSELF,
  hold: HoldRefund<Blocked> = holdNone,
): Promise<RefundDuplicateOutcome | Blocked> {
  const { database } = context.resources;
  const found = await findDuplicateCharge(database, merchantId, duplicateChargeId);
  if (found === null) return { kind: 'not_found' };
  const paymentId = found.paymentId;
  aboutPayment({ merchantId, paymentId });
  return transactWithHints(database, async (transaction): Promise<RefundDuplicateOutcome | Blocked> => {
    const locked = await lockPayment(transaction, merchantId, paymentId);
    const charge = await readDuplicateCharge(transaction, merchantId, duplicateChargeId);
    if (locked === null || charge === null) return { kind: 'not_found' };
    if (charge.state !== 'OPEN') return { kind: 'not_open', state: charge.state };
    const { whole, remainder } = wholeUnits(charge.amount.toFixed());
    const change = changer(context, transaction, { merchantId, duplicateChargeId });
    if (remainder !== '0') {
      const message = `${formatMoney(charge.currency, charge.amount.toFixed())} is not a whole amount, and refunds are in whole units: refund it in the gateway's dashboard, then dismiss this with a note.`;
      await change({ note: message });
      return { kind: 'not_whole', message };
    }
    const amount = await remainingRefundable(transaction, locked, charge, whole);
    if (amount === 0n) {
      await change({ state: 'REFUNDED', resolvedBy: author.actor, resolvedAt: context.now() });
      return { kind: 'given_back' };
    }
    const reason = 'Charged a second time';
    const request = {
      refundId,
      money: charge,
      amount,
      currency: charge.currency,
      reason,
      reasonCode: null,
      kind: 'duplicate',
    } as const;
    const held = await hold(transaction, locked, request);
    if (held !== null) return held;
    const refund = await recordRefund(context, transaction, locked, request, author);
    await change({ state: 'REFUNDING', refundId, note: null });
    return { kind: 'requested', refund };
  });
}

function changer(
  context: PaymentsContext,
  transaction: Prisma.TransactionClient,
  key: { merchantId: string; duplicateChargeId: string },
) {
  return async (change: Parameters<typeof changeDuplicateCharge>[3]): Promise<void> => {
    const changed = await changeDuplicateCharge(transaction, key, 'OPEN', change, context.now());
    if (!changed) throw new Error(`duplicate charge ${key.duplicateChargeId} changed while its payment was locked`);
  };
}

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

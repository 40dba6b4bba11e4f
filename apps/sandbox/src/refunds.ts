import type { Charge, Checkout, Refund } from './ledger/records.ts';
import { type Desk, isoTime } from './simulator.ts';
import { announceRefund } from './webhooks/announce.ts';

export interface RefundWish {
  /** In the own unit; null asks for all that is left. */
  readonly amount: number | null;
  readonly customerNote: string | null;
  readonly merchantNote: string | null;
}

export type RefundAnswer =
  | { readonly kind: 'accepted'; readonly refund: Refund }
  | { readonly kind: 'not_paid' }
  | { readonly kind: 'nothing_left' }
  | { readonly kind: 'too_much'; readonly left: number };

/** What may still be refunded of a charge: everything paid, less refunds that have not failed. */
export function refundable(desk: Desk, checkout: Checkout, charge: Charge): number {
  const taken = desk.books
    .refundsOf(checkout.id)
    .filter((refund) => refund.chargeId === charge.id && refund.status !== 'failed')
    .reduce((sum, refund) => sum + refund.amount, 0);
  return Number((charge.amount - taken).toFixed(desk.spec.decimals));
}

/** What has gone back to the customer. */
export function refunded(desk: Desk, checkout: Checkout): number {
  const done = desk.books.refundsOf(checkout.id).filter((refund) => refund.status === 'processed');
  return done.reduce((sum, refund) => sum + refund.amount, 0);
}

/** Takes a refund on; it ends by itself after the desk's delay, the way the card it was paid with says. */
export function openRefund(desk: Desk, checkout: Checkout, charge: Charge, wish: RefundWish): RefundAnswer {
  if (charge.status !== 'success') return { kind: 'not_paid' };
  const left = refundable(desk, checkout, charge);
  if (left <= 0) return { kind: 'nothing_left' };
  const amount = wish.amount ?? left;
  if (amount > left) return { kind: 'too_much', left };
  const at = isoTime(desk);
  const refund: Refund = {
    id: desk.books.nextId(),
    accountId: checkout.accountId,
    checkoutId: checkout.id,
    chargeId: charge.id,
    amount,
    currency: checkout.currency,
    status: 'pending',
    customerNote: wish.customerNote,
    merchantNote: wish.merchantNote,
    hidden: false,
    createdAt: at,
    updatedAt: at,
  };
  desk.books.put({ kind: 'refund', record: refund });
  announceRefund(desk, refund, checkout);
  scheduleRefund(desk, refund);
  return { kind: 'accepted', refund };
}

/** Lets a refund under way end after the usual delay. */
export function scheduleRefund(desk: Desk, refund: Refund): void {
  desk.later(desk.refundDelayMs, () => {
    if (refund.status !== 'pending' && refund.status !== 'processing') return;
    const charge = desk.books.charge(refund.chargeId)?.charge;
    const card = desk.spec.cards.find((candidate) => candidate.name === charge?.testCard);
    const retried = refund.status === 'processing';
    endRefund(desk, refund, retried ? 'processed' : (card?.refund ?? 'processed'));
  });
}

/** Moves a refund to a status and tells the merchant. */
export function endRefund(desk: Desk, refund: Refund, status: Refund['status']): void {
  refund.status = status;
  refund.updatedAt = isoTime(desk);
  const checkout = desk.books.checkout(refund.checkoutId);
  if (checkout === null) return;
  desk.books.put({ kind: 'refund', record: refund });
  announceRefund(desk, refund, checkout);
}

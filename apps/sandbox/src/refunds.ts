import type { Charge, Checkout, Refund } from './ledger/records.ts';
import { isoTime, type Simulator } from './simulator.ts';
import { announceRefund } from './webhooks/announce.ts';

/** A refund as a merchant's server requests it, in any gateway's call. */
export interface RefundRequest {
  /** In the own unit; null refunds all that is left. */
  readonly amount: number | null;
  /** The merchant's own reference of the refund, where the gateway takes one. */
  readonly reference?: string;
  readonly customerNote: string | null;
  readonly merchantNote: string | null;
}

/** Result of a refund request; `left` is the amount that could be refunded, in the own unit. */
export type RefundAnswer =
  | { readonly kind: 'accepted'; readonly refund: Refund }
  | { readonly kind: 'not_paid' }
  | { readonly kind: 'nothing_left' }
  | { readonly kind: 'too_much'; readonly left: number };

/** Refundable amount of a charge: everything paid, less the amount taken back and refunds that have not failed. */
export function refundable(simulator: Simulator, checkout: Checkout, charge: Charge): number {
  const taken = simulator.ledger
    .refundsOf(checkout.id)
    .filter((refund) => refund.chargeId === charge.id && refund.status !== 'failed')
    .reduce((sum, refund) => sum + refund.amount, 0);
  return Number((charge.amount - checkout.reversed - taken).toFixed(simulator.spec.decimals));
}

/** Amount that has been refunded to the customer. */
export function refunded(simulator: Simulator, checkout: Checkout): number {
  const done = simulator.ledger.refundsOf(checkout.id).filter((refund) => refund.status === 'processed');
  return done.reduce((sum, refund) => sum + refund.amount, 0);
}

/** Accepts a refund; it ends by itself after the simulator's delay, with the outcome of the card that paid. */
export function createRefund(
  simulator: Simulator,
  checkout: Checkout,
  charge: Charge | null,
  request: RefundRequest,
): RefundAnswer {
  if (charge?.status !== 'success') return { kind: 'not_paid' };
  const left = refundable(simulator, checkout, charge);
  if (left <= 0) return { kind: 'nothing_left' };
  const amount = request.amount ?? left;
  if (amount > left) return { kind: 'too_much', left };
  const at = isoTime(simulator);
  const refund: Refund = {
    id: simulator.ledger.nextId(),
    accountId: checkout.accountId,
    checkoutId: checkout.id,
    chargeId: charge.id,
    reference: request.reference ?? null,
    amount,
    currency: checkout.currency,
    status: 'pending',
    customerNote: request.customerNote,
    merchantNote: request.merchantNote,
    hidden: false,
    createdAt: at,
    updatedAt: at,
  };
  simulator.ledger.put({ kind: 'refund', record: refund });
  announceRefund(simulator, refund, checkout);
  scheduleRefund(simulator, refund);
  return { kind: 'accepted', refund };
}

/** Ends an open refund after its delay. */
export function scheduleRefund(simulator: Simulator, refund: Refund): void {
  const reference = simulator.ledger.checkout(refund.checkoutId)?.reference ?? '';
  const end = simulator.timing.refundEnd?.({ gateway: simulator.spec.name, reference }) ?? null;
  simulator.later(end?.afterMs ?? simulator.refundDelayMs, () => {
    if (refund.status !== 'pending' && refund.status !== 'processing') return;
    if (end !== null) return endRefund(simulator, refund, end.status);
    const charge = simulator.ledger.charge(refund.chargeId)?.charge;
    const card = simulator.spec.cards.find((candidate) => candidate.name === charge?.testCard);
    const retried = refund.status === 'processing';
    endRefund(simulator, refund, retried ? 'processed' : (card?.refund ?? 'processed'));
  });
}

/** Moves a refund to a status and sends the merchant a webhook. */
export function endRefund(simulator: Simulator, refund: Refund, status: Refund['status']): void {
  refund.status = status;
  refund.updatedAt = isoTime(simulator);
  const checkout = simulator.ledger.checkout(refund.checkoutId);
  if (checkout === null) return;
  simulator.ledger.put({ kind: 'refund', record: refund });
  announceRefund(simulator, refund, checkout);
}

import { type Charge, type Checkout, decisiveCharge, paidCharge, type Refund } from '../ledger/records.ts';
import type { Simulator } from '../simulator.ts';

/** A charge's status in Kora's terms. A page that is over without a try to pay has expired. */
export function koraStatus(simulator: Simulator, checkout: Checkout): string {
  const charge = decisiveCharge(checkout);
  if (charge === null) return isOver(simulator, checkout) ? 'expired' : 'pending';
  switch (charge.status) {
    case 'pending':
      return 'processing';
    case 'success':
      return 'success';
    case 'failed':
      return 'failed';
    default:
      return charge.status satisfies never;
  }
}

function isOver(simulator: Simulator, checkout: Checkout): boolean {
  return checkout.closed || (checkout.expiresAt !== null && Date.parse(checkout.expiresAt) <= simulator.now());
}

/** 1.5 %, NGN 2,000 at most, and 7.5 % VAT on it; in naira with two decimals. */
export function koraFee(amount: number): number {
  const fee = Math.min(2_000, amount * 0.015);
  return Math.round(fee * 107.5) / 100;
}

/** The charge as a look-up shows it; money as text with two decimals. */
export function presentCharge(simulator: Simulator, checkout: Checkout): Record<string, unknown> {
  const charge = decisiveCharge(checkout);
  const paid = paidCharge(checkout);
  return {
    reference: checkout.reference,
    status: koraStatus(simulator, checkout),
    amount: naira(checkout.amount),
    amount_paid: naira(paid?.amount ?? 0),
    // "If you are accepting overpayments or underpayments, the accepted amount would be the exact amount your customer paid."
    amount_accepted: naira(paid?.amount ?? 0),
    fee: naira(paid === null ? 0 : koraFee(paid.amount)),
    currency: checkout.currency,
    description: checkout.title ?? 'Payment to sandbox merchant',
    payment_method: charge?.channel ?? null,
    message: charge === null || charge.status === 'pending' ? null : charge.message,
    metadata: checkout.metadata,
    ...(charge?.card === null || charge === null ? {} : { card: presentCard(charge.card) }),
  };
}

/** The charge as `GET /pay-ins` shows it. */
export function presentPayIn(simulator: Simulator, checkout: Checkout): Record<string, unknown> {
  const charge = decisiveCharge(checkout);
  const { reference, status, amount, amount_paid, amount_accepted, fee, currency, description, payment_method, message } =
    presentCharge(simulator, checkout);
  return {
    pointer: pointerOf(checkout),
    reference,
    status,
    amount,
    amount_paid,
    amount_accepted,
    amount_expected: amount,
    fee,
    currency,
    description,
    payment_method,
    message,
    date_created: listTime(checkout.createdAt),
    date_completed: charge?.finishedAt === null || charge === null ? null : listTime(charge.finishedAt),
  };
}

/** `data` of the webhook about a successful charge; money as numbers. */
export function presentEvent(checkout: Checkout, charge: Charge): Record<string, unknown> {
  return {
    reference: checkout.reference,
    currency: checkout.currency,
    amount: charge.amount,
    amount_expected: checkout.amount,
    fee: koraFee(charge.amount),
    status: charge.status === 'success' ? 'success' : 'failed',
    payment_method: charge.channel,
    payment_reference: checkout.reference,
  };
}

/** The merchant's reference of a refund, or Kora's own for one that was made on its dashboard. */
export function refundReference(refund: Refund): string {
  return refund.reference ?? `KPY-RFD-${refund.id}`;
}

/** Kora's status of a refund. */
export function refundStatus(refund: Refund): 'processing' | 'success' | 'failed' {
  switch (refund.status) {
    case 'pending':
    case 'processing':
    case 'needs-attention':
      return 'processing';
    case 'processed':
      return 'success';
    case 'failed':
      return 'failed';
    default:
      return refund.status satisfies never;
  }
}

/** A refund as the request for it is answered. */
export function presentRefund(refund: Refund, checkout: Checkout): Record<string, unknown> {
  return {
    refund_reference: refundReference(refund),
    refund_date: refund.createdAt,
    status: refundStatus(refund),
    payment_reference: checkout.reference,
    reason: refund.merchantNote,
    amount_returned: refund.amount,
    currency: refund.currency,
  };
}

/** A refund as a look-up and the list show it; money as text with two decimals. */
export function presentFoundRefund(refund: Refund, checkout: Checkout): Record<string, unknown> {
  const charge = paidCharge(checkout);
  return {
    amount: naira(refund.amount),
    status: refundStatus(refund),
    currency: refund.currency,
    destination: 'customer',
    reference: refundReference(refund),
    reason: refund.merchantNote,
    payment_reference: checkout.reference,
    transaction_amount: naira(charge?.amount ?? checkout.amount),
    payment_method: charge?.channel ?? null,
    created_at: listTime(refund.createdAt),
    completed_at: refundStatus(refund) === 'processing' ? null : listTime(refund.updatedAt),
  };
}

/** A refund as the list shows it. */
export function presentListedRefund(refund: Refund, checkout: Checkout): Record<string, unknown> {
  const { destination: _, payment_method: __, ...row } = presentFoundRefund(refund, checkout);
  return { pointer: pointerOf(refund), ...row };
}

/** `data` of the webhook about a refund that has ended. */
export function presentRefundEvent(refund: Refund, checkout: Checkout): Record<string, unknown> {
  const succeeded = refund.status === 'processed';
  return {
    amount: refund.amount,
    status: succeeded ? 'success' : 'failed',
    status_reason: refund.customerNote ?? (succeeded ? 'Refund completed' : 'Refund rejected by the customer’s bank'),
    currency: refund.currency,
    reference: refundReference(refund),
    payment_reference: checkout.reference,
    created_at: refund.createdAt,
    completed_at: refund.updatedAt,
  };
}

/** The cursor that a list's `starting_after` and `ending_before` take. */
export function pointerOf(record: { readonly id: number }): string {
  return `cus_${record.id}`;
}

function presentCard(card: NonNullable<Charge['card']>): Record<string, unknown> {
  return {
    card_type: card.brand,
    first_six: card.bin,
    last_four: card.last4,
    expiry: `${card.expMonth}/${card.expYear.slice(-2)}`,
  };
}

function naira(amount: number): string {
  return amount.toFixed(2);
}

/** `2026-11-22 12:24:29`: lists show times without their zone; here it is UTC. */
function listTime(iso: string): string {
  return iso.slice(0, 19).replace('T', ' ');
}

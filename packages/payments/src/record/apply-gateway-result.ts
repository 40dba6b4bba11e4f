import type { Failure, Outcome, ReceivedPayment, TransferPayer } from '@switchyard/gateways';
import { formatMoney } from '@switchyard/routing';
import type { PaymentChange } from './apply-change.ts';
import type { PayerKey } from './attempt-queries.ts';
import { type KnownReturns, reversalByStatus, reversalEvent } from './decide-reversal.ts';
import { announce } from './event-record.ts';
import type { FailureReason } from './failure-reason.ts';
import { lateCheckAt } from './next-check.ts';
import { ERASED_EMAIL } from './order.ts';
import type { AttemptRecord, NewTimelineEvent, PaymentRecord } from './payment-record.ts';
import { canTransition, eventType } from './transitions.ts';

/** Cause of the lookup at the gateway. */
export type Cause = 'api' | 'checkout_return' | 'gateway_webhook' | 'schedule' | 'staff';

/**
 * A gateway's answer about one attempt, with the records it is applied to. All that {@link applyGatewayResult} depends on, time
 * and ids included.
 */
export interface GatewayResult {
  readonly payment: PaymentRecord;
  readonly attempt: AttemptRecord;
  readonly merchant: { readonly merchantNumber: string; readonly refundDuplicates: boolean };
  /** True if other attempts of the payment may still bring money. */
  readonly othersOpen: boolean;
  /** True if any attempt holds money that does not match the order: its review stays open for that. */
  readonly holdsMismatched: boolean;
  /** Why the money of this answer may have gone back. */
  readonly returns: KnownReturns;
  readonly outcome: Outcome<ReceivedPayment>;
  readonly cause: Cause;
  /** When the gateway was asked. What a process heard before it stood still is no newer for being applied later. */
  readonly askedAt: Date;
  readonly now: Date;
  readonly newId: () => string;
  /** Encrypts who paid an attempt. */
  readonly sealPayer: (payer: TransferPayer, key: PayerKey) => string;
}

/**
 * The change that a gateway's result for one attempt makes, or null for none. Only proof moves a payment: `unknown` never does, and
 * money that does not match the order, or that the gateway itself puts in doubt, is never success.
 */
export function applyGatewayResult(result: GatewayResult): PaymentChange | null {
  const { outcome } = result;
  switch (outcome.outcome) {
    case 'unknown':
      return null;
    case 'no':
      return isFinal(result, outcome.failure) ? applyUnpaid(result, outcome.failure) : null;
    case 'yes':
      return applyMoney(result, outcome.value);
    default:
      return outcome satisfies never;
  }
}

/**
 * True if nothing will be paid at this attempt. A try that was declined is not the end of a checkout: the customer may pay by the next one
 * while the page is open, and a decline counts only if the gateway was asked once the session was over.
 */
function isFinal({ payment, attempt, askedAt }: GatewayResult, { code }: Failure): boolean {
  if (attempt.state === 'UNKNOWN' || code === 'checkout_closed') return true;
  return code === 'declined' && askedAt >= payment.expiresAt;
}

/** The gateway reports that this attempt was not paid and cannot be paid any more. */
function applyUnpaid(result: GatewayResult, { code, message }: Failure): PaymentChange | null {
  const { payment, attempt, now } = result;
  if (attempt.state === 'PAID' || attempt.state === 'UNPAID') return null;
  const attemptChange = { attemptId: attempt.id, state: 'UNPAID', askedAt: now } as const;
  if (attempt.id !== payment.currentAttemptId || !canTransition(payment.status, 'FAILED')) {
    return { ...key(payment), attempt: attemptChange, events: [event(result, 'attempt.unpaid', null, { message })] };
  }
  return withAnnouncement(result, {
    ...key(payment),
    status: 'FAILED',
    failureReason: failureReasonOf(code),
    ...settledReview(result),
    attempt: attemptChange,
    events: [event(result, eventType('FAILED'), 'FAILED', { message })],
  });
}

function failureReasonOf(code: Failure['code']): FailureReason {
  if (code === 'declined') return 'declined';
  return code === 'checkout_closed' ? 'checkout_closed' : 'not_paid';
}

/** The gateway reports money received for this attempt. */
function applyMoney(result: GatewayResult, value: ReceivedPayment): PaymentChange | null {
  const { payment, attempt, now } = result;
  if (attempt.state === 'PAID' && attempt.transactionId === value.transactionId) return applyKnownMoney(result, value);
  const detail = { amount: value.amount, currency: value.currency, transactionId: value.transactionId, gateway: attempt.gateway };
  // Refunded while it was under review, or as a second charge: that it matches now, or is there again, brings nothing back.
  if (result.returns.refunded > 0n) return null;
  const isPaid = payment.status === 'SUCCESS' || payment.status === 'REFUNDED';
  if (isPaid || attempt.state === 'PAID') return applyDuplicate(result, value, detail);
  const mismatch = reasonForReview(payment, value);
  if (mismatch !== null) return applyMismatch(result, value, mismatch);
  if (!canTransition(payment.status, 'SUCCESS')) return null;
  const late = payment.status === 'FAILED';
  return withAnnouncement(result, {
    ...key(payment),
    status: 'SUCCESS',
    late,
    gatewayReference: value.reference,
    ...settledReview(result),
    ...(attempt.id === payment.currentAttemptId ? {} : { paidAttemptId: attempt.id }),
    received: value,
    nextCheckAt: result.othersOpen ? lateCheckAt(now, payment.expiresAt) : null,
    attempt: { attemptId: attempt.id, state: 'PAID', received: value, ...payerOf(result, value), askedAt: now },
    events: [event(result, eventType('SUCCESS'), 'SUCCESS', { ...detail, ...cardOf(value, payment), late })],
  });
}

/**
 * Where the card is from and its last four digits, in the event that is written anyway: fees and the time to answer a dispute go by the first,
 * staff search by the others. Late money brings no digits back of a customer who was erased.
 */
function cardOf({ cardCountry, cardLast4 }: ReceivedPayment, { customerEmail }: PaymentRecord): Detail {
  const country: Detail = cardCountry === undefined ? {} : { cardCountry };
  return cardLast4 === undefined || customerEmail === ERASED_EMAIL ? country : { ...country, cardLast4 };
}

/** The payer of a transfer, encrypted; not kept of a customer who was erased. */
function payerOf({ payment, attempt, sealPayer }: GatewayResult, { payer }: ReceivedPayment): { readonly payer?: string } {
  if (payer === undefined || payment.customerEmail === ERASED_EMAIL) return {};
  return { payer: sealPayer(payer, { merchantId: payment.merchantId, attemptId: attempt.id }) };
}

/** Money that is recorded: the gateway may have taken it back since, or given it back. */
function applyKnownMoney(result: GatewayResult, { reversed, transactionId }: ReceivedPayment): PaymentChange | null {
  const { payment, attempt, merchant, returns, cause, now, newId } = result;
  // A duplicate charge is no part of what was paid.
  if (attempt.duplicate) return null;
  const reversal = reversalByStatus(payment, { ...returns, reversed, now });
  if (reversal === null) return null;
  const detail = { attemptId: attempt.id, gateway: attempt.gateway, transactionId };
  const told = reversalEvent(payment, reversal, { eventId: newId(), cause, detail });
  const change = { ...key(payment), reversal, attempt: { attemptId: attempt.id, askedAt: now } };
  if (told === null) return { ...change, events: [] };
  const { event, announced } = told;
  const after = { ...payment, version: payment.version + 1 };
  const announcement = announce(after, merchant.merchantNumber, { ...event, at: now, reversal: announced });
  return { ...change, events: [event], announcements: announcement === null ? [] : [announcement] };
}

/** Money for a payment that is already paid: at another attempt, or again at the same one. */
function applyDuplicate(result: GatewayResult, value: ReceivedPayment, detail: Detail): PaymentChange | null {
  const { payment, attempt, merchant, now } = result;
  // Reversed by the gateway itself: the customer is no longer charged.
  if (value.reversed) return null;
  const { transactionId, amount, currency } = value;
  const money = { received: value, ...payerOf(result, value), askedAt: now };
  const paid = { attemptId: attempt.id, state: 'PAID', duplicate: true, ...money } as const;
  return withAnnouncement(result, {
    ...key(payment),
    // The attempt keeps its first transaction; the second is recorded in the duplicate charge.
    ...(attempt.state === 'PAID' ? {} : { attempt: paid }),
    duplicateCharge: {
      duplicateChargeId: result.newId(),
      mode: payment.mode,
      attemptId: attempt.id,
      accountId: attempt.accountId,
      gateway: attempt.gateway,
      reference: attempt.reference,
      transactionId,
      amount,
      currency,
      // Money in doubt may have gone back already: a person decides.
      refund: merchant.refundDuplicates && value.doubt === undefined,
    },
    events: [event(result, 'payment.duplicate_charge', null, detail)],
  });
}

function applyMismatch(result: GatewayResult, received: ReceivedPayment, reason: string): PaymentChange | null {
  const { payment, attempt, now } = result;
  const known = attempt.receivedAmount === received.amount && attempt.receivedCurrency === received.currency;
  if (known) return null;
  const detail = { reason, amount: received.amount, currency: received.currency, transactionId: received.transactionId };
  return withAnnouncement(result, {
    ...key(payment),
    received,
    review: { state: 'OPEN', reason },
    attempt: { attemptId: attempt.id, received, ...payerOf(result, received), askedAt: now },
    events: [event(result, 'payment.requires_review', null, detail)],
  });
}

/** The end of a review that no money is left in: the gateway has decided the payment after all. */
function settledReview({ payment, holdsMismatched }: GatewayResult): Pick<PaymentChange, 'review'> {
  if (payment.review !== 'OPEN' || holdsMismatched) return {};
  return { review: { state: 'RESOLVED', reason: 'The gateway has decided since.' } };
}

/** Why received money does not prove the payment, in one sentence; null when it does. */
function reasonForReview(payment: PaymentRecord, value: ReceivedPayment): string | null {
  const expected = () => formatMoney(payment.currency, payment.amount);
  const received = () => formatMoney(value.currency, value.amount);
  if (value.reversed) return `The gateway says that ${received()} was received and has been returned since.`;
  if (value.doubt !== undefined) return `${value.doubt} Expected ${expected()}, received ${received()}.`;
  if (value.currency !== payment.currency || value.amount !== payment.amount.toString()) {
    return `Expected ${expected()}, received ${received()}.`;
  }
  return null;
}

function key(payment: PaymentRecord): Pick<PaymentChange, 'merchantId' | 'paymentId' | 'version'> {
  return { merchantId: payment.merchantId, paymentId: payment.paymentId, version: payment.version };
}

/** The change with the event that announces it to the merchant. */
function withAnnouncement({ payment, merchant, now }: GatewayResult, change: PaymentChange): PaymentChange {
  const [first] = change.events;
  if (first === undefined) return change;
  const { status = payment.status, gatewayReference = payment.gatewayReference } = change;
  const after = { ...payment, status, gatewayReference, version: payment.version + 1 };
  const announcement = announce(after, merchant.merchantNumber, { ...first, at: now });
  return announcement === null ? change : { ...change, announcements: [announcement] };
}

type Detail = Readonly<Record<string, string | boolean | null>>;

function event(
  { payment, attempt, cause, newId }: GatewayResult,
  type: string,
  toStatus: NewTimelineEvent['toStatus'],
  detail: Detail,
): NewTimelineEvent {
  return {
    eventId: newId(),
    type,
    fromStatus: toStatus === null ? null : payment.status,
    toStatus,
    cause,
    actor: null,
    detail: { attemptId: attempt.id, ...detail },
  };
}

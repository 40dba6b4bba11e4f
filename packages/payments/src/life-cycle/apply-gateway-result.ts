import type { Attempt } from '@switchyard/db/client';
import type { Outcome, ReceivedPayment } from '@switchyard/gateways';
import { lateCheckAt } from '../sweeping/next-check.ts';
import type { PaymentChange, ReceivedMoney } from './apply-change.ts';
import { announce } from './event-record.ts';
import type { NewTimelineEvent, PaymentRecord } from './payment-record.ts';
import { eventType, mayMove } from './transitions.ts';

/** What made us ask the gateway. */
export type Cause = 'api' | 'checkout_return' | 'gateway_webhook' | 'schedule' | 'staff';

export interface GatewayResult {
  readonly payment: PaymentRecord;
  readonly attempt: Attempt;
  readonly merchant: { readonly merchantNumber: string; readonly refundDuplicates: boolean };
  /** Whether other attempts of the payment may still bring money. */
  readonly othersOpen: boolean;
  readonly outcome: Outcome<ReceivedPayment>;
  readonly cause: Cause;
  readonly now: Date;
  readonly newId: () => string;
}

/**
 * What a gateway's answer about one attempt changes, or null when it changes nothing. Only proof moves a payment: `unknown` never
 * does, and money that does not match the order is never success.
 */
export function judge(testimony: GatewayResult): PaymentChange | null {
  const { outcome, attempt } = testimony;
  switch (outcome.outcome) {
    case 'unknown':
      return null;
    case 'no':
      return outcome.failure.code === 'declined' || attempt.state === 'UNKNOWN'
        ? judgeUnpaid(testimony, outcome.failure.message)
        : null;
    case 'yes':
      return judgeMoney(testimony, outcome.value);
    default: {
      const never: never = outcome;
      return never;
    }
  }
}

/** The gateway states that nothing was paid for this attempt, and that nothing will be. */
function judgeUnpaid(testimony: GatewayResult, message: string): PaymentChange | null {
  const { payment, attempt, now } = testimony;
  if (attempt.state === 'PAID' || attempt.state === 'UNPAID') return null;
  const attemptChange = { attemptId: attempt.id, state: 'UNPAID', askedAt: now } as const;
  if (attempt.id !== payment.currentAttemptId || !mayMove(payment.status, 'FAILED')) {
    return { ...key(payment), attempt: attemptChange, events: [event(testimony, 'attempt.unpaid', null, { message })] };
  }
  return told(testimony, {
    ...key(payment),
    status: 'FAILED',
    attempt: attemptChange,
    events: [event(testimony, eventType('FAILED'), 'FAILED', { message })],
  });
}

/** The gateway says that it received money for this attempt. */
function judgeMoney(testimony: GatewayResult, value: ReceivedPayment): PaymentChange | null {
  const { payment, attempt, now } = testimony;
  if (attempt.state === 'PAID' && attempt.transactionId === value.transactionId) return null;
  const detail = { amount: value.amount, currency: value.currency, transactionId: value.transactionId, gateway: attempt.gateway };
  const isPaid = payment.status === 'SUCCESS' || payment.status === 'REFUNDED';
  if (isPaid || attempt.state === 'PAID') return judgeDuplicate(testimony, value, detail);
  const doubt = reasonForReview(payment, value);
  if (doubt !== null) return judgeDoubtful(testimony, value, doubt);
  if (!mayMove(payment.status, 'SUCCESS')) return null;
  const late = payment.status === 'FAILED';
  return told(testimony, {
    ...key(payment),
    status: 'SUCCESS',
    late,
    gatewayReference: value.reference,
    ...(attempt.id === payment.currentAttemptId ? {} : { paidAttemptId: attempt.id }),
    received: value,
    nextCheckAt: testimony.othersOpen ? lateCheckAt(now, payment.expiresAt) : null,
    attempt: { attemptId: attempt.id, state: 'PAID', received: value, askedAt: now },
    events: [event(testimony, eventType('SUCCESS'), 'SUCCESS', { ...detail, late })],
  });
}

/** Money for a payment that has been paid: at another attempt, or a second time at the same one. */
function judgeDuplicate(testimony: GatewayResult, value: ReceivedPayment, detail: Detail): PaymentChange | null {
  const { payment, attempt, merchant, now } = testimony;
  // What came back to the customer by the gateway's own doing is charged no more.
  if (value.reversed) return null;
  const { transactionId, amount, currency } = value;
  const paid = { attemptId: attempt.id, state: 'PAID', duplicate: true, received: value, askedAt: now } as const;
  return told(testimony, {
    ...key(payment),
    // What the first money of an attempt was stays on record: the second is in the charge.
    ...(attempt.state === 'PAID' ? {} : { attempt: paid }),
    duplicateCharge: {
      ...{ duplicateChargeId: testimony.newId(), mode: payment.mode, attemptId: attempt.id, accountId: attempt.accountId },
      ...{ gateway: attempt.gateway, reference: attempt.reference, transactionId, amount, currency },
      refund: merchant.refundDuplicates,
    },
    events: [event(testimony, 'payment.duplicate_charge', null, detail)],
  });
}

function judgeDoubtful(testimony: GatewayResult, received: ReceivedMoney, reason: string): PaymentChange | null {
  const { payment, attempt, now } = testimony;
  const known = attempt.receivedAmount?.toString() === received.amount && attempt.receivedCurrency === received.currency;
  if (known) return null;
  const detail = { reason, amount: received.amount, currency: received.currency, transactionId: received.transactionId };
  return told(testimony, {
    ...key(payment),
    received,
    review: { state: 'OPEN', reason },
    attempt: { attemptId: attempt.id, received, askedAt: now },
    events: [event(testimony, 'payment.requires_review', null, detail)],
  });
}

/** Why received money does not prove the payment, in one sentence; null when it does. */
function reasonForReview(payment: PaymentRecord, value: ReceivedPayment): string | null {
  const expected = `${payment.currency} ${grouped(payment.amount.toString())}`;
  const received = `${value.currency} ${grouped(value.amount)}`;
  if (value.reversed) return `The gateway says that ${received} was received and has been returned since.`;
  if (value.currency !== payment.currency || value.amount !== payment.amount.toString()) {
    return `Expected ${expected}, received ${received}.`;
  }
  return null;
}

/** `12500.5` as `12,500.5`. */
function grouped(amount: string): string {
  return amount.replace(/^\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));
}

function key(payment: PaymentRecord): Pick<PaymentChange, 'merchantId' | 'paymentId' | 'version'> {
  return { merchantId: payment.merchantId, paymentId: payment.paymentId, version: payment.version };
}

/** The change with what the merchant is told of it. */
function told({ payment, merchant, now }: GatewayResult, change: PaymentChange): PaymentChange {
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

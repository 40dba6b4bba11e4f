import type { PaymentChange } from '../life-cycle/apply-change.ts';
import { announce } from '../life-cycle/event-record.ts';
import type { PaymentRecord } from '../life-cycle/payment-record.ts';
import type { Unanswered } from '../verify/fetch-gateway-result.ts';

const DAY_MS = 86_400_000;
/**
 * How long after its session ended a payment waits for a gateway that says neither that it was paid nor that it was not. Longer than a
 * weekend outage, an expired key that is noticed on Monday, and any late confirmation of a bank that gateways document.
 */
const UNSETTLED_MAX_MS = 7 * DAY_MS;

/** When a payment that no gateway decides goes to review. */
export function reviewDueAt(expiresAt: Date): Date {
  return new Date(expiresAt.getTime() + UNSETTLED_MAX_MS);
}

/**
 * Next step of a PENDING payment whose gateway was looked up without a usable answer: `wait` for the next look-up, or `review`
 * once a week has passed since its session ended. Never FAILED: nothing proves that the customer did not pay.
 */
export function decideUnanswered({ now, expiresAt }: { readonly now: Date; readonly expiresAt: Date }): 'wait' | 'review' {
  return now >= reviewDueAt(expiresAt) ? 'review' : 'wait';
}

/** Why such a payment is under review, in the words of the last look-up. */
export function unsettledReason({ message }: Unanswered): string {
  const said = /[.!?]$/.test(message) ? message : `${message}.`;
  return `Seven days after its session ended, no gateway says whether it was paid. The last check: ${said}`;
}

/** The change that hands such a payment over to staff. It stays PENDING and is not looked up by schedule any more. */
export function reviewUnsettled(
  payment: PaymentRecord,
  unanswered: Unanswered,
  { merchantNumber, eventId, now }: { readonly merchantNumber: string; readonly eventId: string; readonly now: Date },
): PaymentChange {
  const { merchantId, paymentId, version } = payment;
  const reason = unsettledReason(unanswered);
  const event = {
    eventId,
    type: 'payment.requires_review',
    fromStatus: null,
    toStatus: null,
    cause: 'schedule',
    actor: null,
    detail: { reason, code: unanswered.code },
  } as const;
  const announcement = announce({ ...payment, version: version + 1 }, merchantNumber, { ...event, at: now });
  const change = {
    merchantId,
    paymentId,
    version,
    review: { state: 'OPEN', reason },
    nextCheckAt: null,
    events: [event],
  } as const;
  return announcement === null ? change : { ...change, announcements: [announcement] };
}

import type { PaymentChange } from '../life-cycle/apply-change.ts';
import { announce } from '../life-cycle/event-record.ts';
import type { PaymentRecord } from '../life-cycle/payment-record.ts';

/**
 * The change that closes a payment whose session has expired and whose gateways, looked up after that, report no payment. It is
 * still checked: late money makes it a success.
 */
export function closeExpired(
  payment: PaymentRecord,
  { merchantNumber, eventId, now }: { readonly merchantNumber: string; readonly eventId: string; readonly now: Date },
): PaymentChange {
  const { merchantId, paymentId, version } = payment;
  const event = {
    eventId,
    type: 'payment.failed',
    fromStatus: payment.status,
    toStatus: 'FAILED',
    cause: 'schedule',
    actor: null,
    detail: { reason: 'session_expired', message: 'The session ended, and the gateway says that nothing was paid.' },
  } as const;
  const after = { ...payment, status: 'FAILED', version: version + 1 } as const;
  const announcement = announce(after, merchantNumber, { ...event, at: now });
  const change = { merchantId, paymentId, version, status: 'FAILED', failureReason: 'session_expired', events: [event] } as const;
  return announcement === null ? change : { ...change, announcements: [announcement] };
}

import type { PaymentsContext } from '../context.ts';
import type { PaymentChange } from '../life-cycle/apply-change.ts';
import { announce } from '../life-cycle/event-record.ts';
import { merchantOf } from '../life-cycle/merchant-of.ts';
import type { PaymentRecord } from '../life-cycle/payment-record.ts';

/**
 * The change that closes a payment whose session has expired and whose gateways, looked up after that, report no payment. It is
 * still checked: late money makes it a success.
 */
export async function closeExpired(context: PaymentsContext, payment: PaymentRecord): Promise<PaymentChange> {
  const { merchantNumber } = await merchantOf(context, payment.merchantId);
  const { merchantId, paymentId, version } = payment;
  const event = {
    eventId: context.newId(),
    type: 'payment.failed',
    fromStatus: payment.status,
    toStatus: 'FAILED',
    cause: 'schedule',
    actor: null,
    detail: { reason: 'session_expired', message: 'The session ended, and the gateway says that nothing was paid.' },
  } as const;
  const after = { ...payment, status: 'FAILED', version: version + 1 } as const;
  const announcement = announce(after, merchantNumber, { ...event, at: context.now() });
  const change = { merchantId, paymentId, version, status: 'FAILED', failureReason: 'session_expired', events: [event] } as const;
  return announcement === null ? change : { ...change, announcements: [announcement] };
}

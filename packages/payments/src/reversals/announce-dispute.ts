import type { NewMerchantEvent } from '@switchyard/webhooks/events';
import { recordOf } from '../life-cycle/event-record.ts';
import type { LockedPayment } from '../refunds/queries.ts';
import type { DisputeResource } from './dispute-resource.ts';

/** A dispute that was opened or closed, with the id of the timeline event of the same change. */
interface DisputeAnnouncement {
  readonly eventId: string;
  readonly type: 'dispute.opened' | 'dispute.closed';
  readonly at: Date;
  readonly dispute: DisputeResource;
}

/** The merchant's event of a dispute. `payment` is the payment after the event. */
export function announceDispute(
  payment: LockedPayment,
  merchantNumber: string,
  { eventId, type, at, dispute }: DisputeAnnouncement,
): NewMerchantEvent {
  const { merchantId, mode, paymentId, version: position } = payment;
  const record = recordOf(payment, merchantNumber, { id: eventId, type, at });
  const body = JSON.stringify({ ...record, data: { ...record.data, dispute } });
  return { merchantId, eventId, mode, paymentId, position, type, body };
}

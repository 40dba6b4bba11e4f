import { MERCHANT_EVENT_TYPES, type MerchantEventType, type NewMerchantEvent } from '@switchyard/webhooks/events';
import type { AnnouncedReversal } from './decide-reversal.ts';
import type { PaymentRecord } from './payment-record.ts';
import type { RefundResource } from './refund-resource.ts';
import { type ExecutionStatus, eventType, executionStatus, type StatusEventType } from './transitions.ts';

/** The documented event record of verify and of merchant webhooks. The id of a status change never changes. */
export interface EventRecord {
  readonly id: string;
  readonly type: StatusEventType | MerchantEventType;
  readonly createdAt: string;
  readonly merchantNumber: string;
  readonly data: {
    readonly paymentId: string;
    readonly merchantOrderId: string;
    readonly status: PaymentRecord['status'];
    readonly executionStatus: ExecutionStatus;
    readonly currency: string;
    readonly amount: number;
    readonly gatewayReference: string;
    /** The refund that ended, in `refund.succeeded` and `refund.failed`. */
    readonly refund?: RefundResource;
    /** Money that the gateway took or gave back, in `payment.reversed` and `payment.reinstated`. */
    readonly reversal?: AnnouncedReversal;
    /** The earlier payment, in `payment.repeated`. */
    readonly repeats?: RepeatedOrder;
  };
}

/** The payment that another repeats. */
export interface RepeatedOrder {
  readonly paymentId: string;
  readonly merchantOrderId: string;
}

/** Subjects of an event beside the payment. */
interface EventSubjects {
  readonly refund?: RefundResource;
  readonly reversal?: AnnouncedReversal;
  readonly repeats?: RepeatedOrder;
}

type DescribedPayment = Pick<
  PaymentRecord,
  'paymentId' | 'merchantOrderId' | 'status' | 'currency' | 'amount' | 'gatewayReference'
>;
type AnnouncedPayment = DescribedPayment & Pick<PaymentRecord, 'merchantId' | 'mode' | 'version'>;

/** The record of a payment's last change of status. */
export function eventRecord(
  payment: DescribedPayment & Pick<PaymentRecord, 'statusEventId' | 'statusChangedAt'>,
  merchantNumber: string,
): EventRecord {
  const { statusEventId: id, status, statusChangedAt } = payment;
  return recordOf(payment, merchantNumber, { id, type: eventType(status), at: statusChangedAt });
}

/**
 * The merchant's event for one timeline event, or null when events of its type are not announced. `payment` is the payment after
 * the event. For a change of status the record is the one that {@link eventRecord} returns afterwards.
 */
export function announce(
  payment: AnnouncedPayment,
  merchantNumber: string,
  event: { readonly eventId: string; readonly type: string; readonly at: Date } & EventSubjects,
): NewMerchantEvent | null {
  const type = MERCHANT_EVENT_TYPES.find((one) => one === event.type);
  if (type === undefined) return null;
  const { merchantId, mode, paymentId, version: position } = payment;
  const { eventId: id, at, refund, reversal } = event;
  const record = recordOf(payment, merchantNumber, {
    id,
    type,
    at,
    ...(refund && { refund }),
    ...(reversal && { reversal }),
  });
  return { merchantId, eventId: id, mode, paymentId, position, type, body: JSON.stringify(record) };
}

/** The record of an event of a payment, which is as it was after the event. */
export function recordOf(
  payment: DescribedPayment,
  merchantNumber: string,
  event: { readonly id: string; readonly type: EventRecord['type']; readonly at: Date } & EventSubjects,
): EventRecord {
  return {
    id: event.id,
    type: event.type,
    createdAt: event.at.toISOString(),
    merchantNumber,
    data: {
      paymentId: payment.paymentId,
      merchantOrderId: payment.merchantOrderId,
      status: payment.status,
      executionStatus: executionStatus(payment.status),
      currency: payment.currency,
      amount: Number(payment.amount),
      gatewayReference: payment.gatewayReference ?? '',
      ...(event.refund && { refund: event.refund }),
      ...(event.reversal && { reversal: event.reversal }),
      ...(event.repeats && { repeats: event.repeats }),
    },
  };
}

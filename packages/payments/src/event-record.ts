import type { PaymentRecord } from '@switchyard/db';
import { type EventType, type ExecutionStatus, eventType, executionStatus } from './transitions.ts';

/** The documented event record: what verify answers, and what merchants are sent. One change of status has one id for ever. */
export interface EventRecord {
  readonly id: string;
  readonly type: EventType;
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
  };
}

/** The record of a payment's last change of status. */
export function eventRecord(payment: PaymentRecord, merchantNumber: string): EventRecord {
  return {
    id: payment.statusEventId,
    type: eventType(payment.status),
    createdAt: payment.statusChangedAt.toISOString(),
    merchantNumber,
    data: {
      paymentId: payment.paymentId,
      merchantOrderId: payment.merchantOrderId,
      status: payment.status,
      executionStatus: executionStatus(payment.status),
      currency: payment.currency,
      amount: Number(payment.amount),
      gatewayReference: payment.gatewayReference ?? '',
    },
  };
}

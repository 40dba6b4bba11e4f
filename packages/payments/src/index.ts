export { announce, eventRecord } from './record/event-record.ts';
export { findPayment } from './record/find-payment.ts';
export type { Caller, Order, Timings } from './record/order.ts';
export type { PaymentAnswer } from './record/payment-answer.ts';
export type { PaymentRecord } from './record/payment-record.ts';
export { executionStatus } from './record/transitions.ts';

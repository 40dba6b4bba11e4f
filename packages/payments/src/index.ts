export { announce, eventRecord } from './life-cycle/event-record.ts';
export { findPayment } from './life-cycle/find-payment.ts';
export type { Caller, Order, Timings } from './life-cycle/order.ts';
export type { PaymentAnswer } from './life-cycle/payment-answer.ts';
export type { PaymentRecord } from './life-cycle/payment-record.ts';
export { executionStatus } from './life-cycle/transitions.ts';

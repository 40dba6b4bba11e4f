export type { PaymentsContext } from './context.ts';
export {
  claimIdempotencyKey,
  completeIdempotentRequest,
  type IdempotentRequest,
  releaseIdempotentRequest,
} from './idempotency/queries.ts';
export { eventRecord } from './life-cycle/event-record.ts';
export { find } from './life-cycle/find-payment.ts';
export type { Caller, Order, Timings } from './life-cycle/order.ts';
export type { PaymentRecord } from './life-cycle/payment-record.ts';
export { executionStatus } from './life-cycle/transitions.ts';
export { openPayments } from './open-payments.ts';
export { findCheckoutResult, returnFromCheckout } from './verify/return-from-checkout.ts';
export { verify } from './verify/verify.ts';
export { askAboutAttempt } from './verify/verify-attempt.ts';
export { verifyNow } from './verify/verify-now.ts';

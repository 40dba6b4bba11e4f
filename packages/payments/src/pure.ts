/* What decides about payments and refunds from records alone, without a database, a gateway or a clock: for simulations of it. */

export type { AttemptState, PaymentStatus, Refund, RefundState } from '@switchyard/db/client';
export { wholeUnits } from '@switchyard/db/decimals';
export { watchedAttempts } from './attempts/queries.ts';
export { describeResult } from './initiate/open-checkout.ts';
export { attemptReference } from './initiate/plan.ts';
export type { PaymentChange } from './life-cycle/apply-change.ts';
export { applyGatewayResult, type Cause } from './life-cycle/apply-gateway-result.ts';
export type { AttemptRecord, PaymentRecord } from './life-cycle/payment-record.ts';
export { canTransition, eventType } from './life-cycle/transitions.ts';
export {
  applyRefundResult,
  type RefundResult,
  resultFromReceipt,
  resultFromSending,
} from './refunds/apply-refund-result.ts';
export { changeOfReturnedMoney } from './refunds/refund-consequences.ts';
export { canTransitionRefund } from './refunds/refund-transitions.ts';
export { decideRefund, moneyThatPaid, type RefundAmount, refundableOf } from './refunds/request-refund.ts';
export { NO_RETURNS, reversalByDisputes, reversalEvent } from './reversals/decide-reversal.ts';
export { NOT_REVERSED } from './reversals/reversal.ts';
export { closeExpired } from './sweeping/close-expired.ts';
export { nextCheckAt, retryAt } from './sweeping/next-check.ts';
export { decideStep, nextLateCheck } from './sweeping/settle-overdue.ts';
export { reviewUnsettled } from './sweeping/unsettled.ts';
export { describeAttempts, isAnswer, type Unanswered } from './verify/fetch-gateway-result.ts';

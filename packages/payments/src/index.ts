export { openResources, type Resources } from '@switchyard/db';
export { gatewayNames } from '@switchyard/gateways';
export { PAYMENT_METHODS, type PaymentMethod } from '@switchyard/routing';
export type { PaymentsContext } from './context.ts';
export {
  type AttemptCall,
  type AttemptDescription,
  type DecisionDescription,
  describePayment,
  type PaymentDescription,
  type PaymentMoney,
  type RefundDescription,
  type TimelineDescription,
} from './describe-payment.ts';
export { type EventRecord, eventRecord } from './event-record.ts';
export { find } from './find.ts';
export { followUpWebhook } from './follow-up-webhook.ts';
export { type InitiateResult, initiate } from './initiate.ts';
export { type ListPaymentsQuery, listPayments, type PaymentPage, summarisePayments } from './list-payments.ts';
export { openPayments } from './open-payments.ts';
export type { Caller, Order, Timings } from './order.ts';
export { type ProbeDiary, probeAccounts } from './probe-accounts.ts';
export { receiveGatewayWebhook, type WebhookReceipt } from './receive-gateway-webhook.ts';
export { type CheckoutResult, findCheckoutResult, returnFromCheckout } from './return-from-checkout.ts';
export { executionStatus } from './transitions.ts';
export { verify } from './verify.ts';
export {
  CANDIDATE_CONDITIONS,
  type CandidateCondition,
  type CandidateVerdict,
  type ConditionOutcome,
} from './weigh-candidates.ts';

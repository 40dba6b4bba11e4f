export { createSwitchyard, type Switchyard, type SwitchyardOptions } from './client.ts';
export {
  type FieldError,
  SwitchyardApiError,
  SwitchyardConnectionError,
  SwitchyardError,
  SwitchyardSignatureError,
  SwitchyardTimeoutError,
} from './errors.ts';
export type { CallOptions } from './send.ts';
export type {
  EventList,
  EventQuery,
  InitiatedPayment,
  InitiateParameters,
  Payment,
  PaymentList,
  PaymentQuery,
  Refund,
  RefundList,
  RefundParameters,
  RefundQuery,
  RuleDraft,
  RuleDraftParameters,
  RuleSetFile,
  Rules,
  RulesCheck,
  TestEventParameters,
  VerificationResult,
  VerifyParameters,
  WebhookEvent,
} from './types.ts';
export { type WebhookHeaders, webhooks } from './webhooks.ts';

export { FAILURE_REASONS, type FailureReason } from '../record/failure-reason.ts';
export type { MoneyOrder } from '../record/money-page.ts';
export {
  APPROVAL_STATES,
  type ApprovalFilter,
  type ApprovalSum,
  approvalList,
  approvalNoun,
  approvalStateOf,
  sumApprovals,
} from '../refunds/control/approval-queries.ts';
export { LISTED_OUTCOMES } from './impact/sum-impact.ts';
export { type PaymentList, paymentList, payments, type SearchMatch } from './payment-filter.ts';
export { PAYMENT_DATES, PAYMENT_STATUSES, type PaymentFilter, paymentFilter, paymentNoun } from './payment-noun.ts';
export {
  CHARGE_STATES,
  type DuplicateChargeFilter,
  duplicateChargeNoun,
  REFUND_STATES,
  type RefundFilter,
  refundNoun,
} from './refund-noun.ts';

export { LISTED_OUTCOMES } from '../incident-impact/sum-impact.ts';
export { FAILURE_REASONS, type FailureReason } from '../life-cycle/failure-reason.ts';
export {
  APPROVAL_STATES,
  type ApprovalFilter,
  type ApprovalSum,
  approvalList,
  approvalStateOf,
  sumApprovals,
} from '../refund-control/approval-queries.ts';
export type { MoneyOrder } from './money-page.ts';
export { ANY_PAYMENT, type PaymentFilter, paymentList, type SearchMatch } from './payment-filter.ts';
export { type DuplicateChargeFilter, duplicateChargeList, type RefundFilter, refundList } from './refund-filter.ts';

export {
  type DismissDuplicateOutcome,
  dismissDuplicate,
  type RefundDuplicateOutcome,
  refundDuplicate,
} from '../duplicates/duplicates.ts';
export { countUnresolvedMoney, type UnresolvedMoney } from './count-unresolved-money.ts';
export { describeRefundable } from './describe-refundable.ts';
export { followRefunds, sendRefund } from './follow-refunds.ts';
export {
  countDuplicateCharges,
  countRefunds,
  findRefundOf,
  listDuplicateCharges,
  listRefunds,
  listRefundsFor,
  listReviews,
  type Refund,
  readOneRefund,
} from './list-refunds.ts';
export {
  type DismissRefundOutcome,
  dismissRefund,
  type RecordRefundOutcome,
  recordRefundOutcome,
} from './record-refund-outcome.ts';
export { refundResource } from './refund-resource.ts';
export { type RefundAmount, type RequestRefundOutcome, requestRefund } from './request-refund.ts';
export { syncRefund } from './sync-refund.ts';

export { refundResource } from '../record/refund-resource.ts';
export { countUnresolvedMoney, type UnresolvedMoney } from './count-unresolved-money.ts';
export {
  type DismissDuplicateOutcome,
  dismissDuplicate,
  type RefundDuplicateOutcome,
  refundDuplicate,
} from './duplicates/duplicates.ts';
export { followRefunds, sendRefund, syncRefund } from './follow-refunds.ts';
export {
  type DismissRefundOutcome,
  dismissRefund,
  type RecordRefundOutcome,
  recordRefundOutcome,
} from './record-refund-outcome.ts';
export { type RefundAmount, type RequestRefundOutcome, requestRefund } from './request-refund.ts';

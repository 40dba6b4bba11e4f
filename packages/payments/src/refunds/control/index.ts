export {
  APPROVAL_STATES,
  type ApprovalListItem,
  type ApprovalState,
  listApprovals,
  sumRefundsToApprove,
} from './approval-queries.ts';
export type { BulkFate, BulkLine } from './bulk/decide-bulk.ts';
export { type BulkPreview, previewBulk, type RefundBulkOutcome, refundBulk, type UnreadableFile } from './bulk/refund-bulk.ts';
export {
  type AnswerWaiverOutcome,
  answerControlWaiver,
  type ChangeControlOutcome,
  changeRefundControl,
  describeControlFor,
  listRefundControlWaivers,
  readRefundControl,
} from './change-control.ts';
export {
  type ApproveRefundOutcome,
  approveRefund,
  declineRefund,
  type EndApprovalOutcome,
  withdrawRefund,
} from './decide-approval.ts';
export { type HeldRefund, holdFor, type RefundingPerson, requestRefundAsPerson } from './hold-refund.ts';

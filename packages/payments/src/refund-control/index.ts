export { APPROVAL_STATES, type ApprovalListItem, type ApprovalState } from './approval-queries.ts';
export type { BulkFate, BulkLine } from './bulk/decide-bulk.ts';
export { type BulkPreview, previewBulk, type RefundBulkOutcome, refundBulk, type UnreadableFile } from './bulk/refund-bulk.ts';
export { type ChangeControlOutcome, changeRefundControl } from './change-control.ts';
export { type AnswerWaiverOutcome, answerControlWaiver, listRefundControlWaivers } from './control-waiver.ts';
export {
  type ApproveRefundOutcome,
  approveRefund,
  declineRefund,
  type EndApprovalOutcome,
  withdrawRefund,
} from './decide-approval.ts';
export { describeControlFor, readRefundControl } from './describe-control.ts';
export { type HeldRefund, holdFor, type RefundingPerson } from './hold-refund.ts';
export { listApprovals, sumRefundsToApprove } from './list-approvals.ts';
export { requestRefundAsPerson } from './request-as-person.ts';

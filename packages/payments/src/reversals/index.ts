export type { DisputeDue } from './apply-dispute.ts';
export { isClosed } from './apply-dispute.ts';
export { type CountedReversals, countReversals } from './count-reversals.ts';
export { type DisputeResource, disputeResource } from './dispute-resource.ts';
export { type NewDisputeEvent, writeDisputeEvent } from './dispute-rows.ts';
export { listUnanswered, type UnansweredDispute } from './list-unanswered.ts';
export type { SettledDispute } from './settle-dispute.ts';
export { type SettledDisputeFee, settleDisputeFees } from './settle-dispute-fee.ts';
export { settleReportedDispute } from './settle-reported-dispute.ts';

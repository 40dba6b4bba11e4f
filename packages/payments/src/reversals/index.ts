export { type NewDisputeEvent, writeDisputeEvent } from '../record/dispute-rows.ts';
export { type DisputeDue, isClosed } from './apply-dispute.ts';
export { type CountedReversals, countReversals, listUnanswered, type UnansweredDispute } from './count-reversals.ts';
export { type DisputeResource, disputeResource } from './dispute-resource.ts';
export { type SettledDispute, type SettledDisputeFee, settleDisputeFees } from './settle-dispute.ts';
export { settleReportedDispute } from './settle-reported-dispute.ts';

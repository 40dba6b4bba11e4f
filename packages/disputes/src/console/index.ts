export { type AddEvidenceOutcome, addEvidence, readEvidenceContent } from './add-evidence.ts';
export { type AnswerOutcome, answerDispute } from './answer-dispute.ts';
export {
  countDisputes,
  type DisputeCount,
  type DisputeDetail,
  type DisputeItem,
  findDispute,
  listDisputes,
} from './list-disputes.ts';
export { listDisputeSources } from './list-sources.ts';
export { type OpenDisputeOutcome, openDispute, type RecordDisputeOutcome, recordDispute } from './record-dispute.ts';
export { type SettleResponseOutcome, settleResponse } from './settle-response.ts';

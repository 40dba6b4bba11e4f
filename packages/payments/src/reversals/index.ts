export { type CountedReversals, countReversals } from './count-reversals.ts';
export { followUpDisputeWebhook } from './follow-up-dispute-webhook.ts';
export {
  listOpenDisputes,
  listRecentReversals,
  type OpenDispute,
  REVERSALS_SHOWN_MS,
  type RecentReversal,
} from './list-reversals.ts';

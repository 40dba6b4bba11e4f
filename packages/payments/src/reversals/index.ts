export { type CountedReversals, countReversals } from './count-reversals.ts';
export { followUpDisputeWebhook } from './follow-up-dispute-webhook.ts';

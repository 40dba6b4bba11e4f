export { listMovedPayments } from './list-moved-payments.ts';
export { type ReplayOutcome, replayRules } from './replay-rules.ts';

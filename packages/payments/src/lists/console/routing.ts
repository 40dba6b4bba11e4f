export { type DecisionCheck, verifyDecisions } from '../decisions/decide-again.ts';
export type { CandidateVerdict } from './describe-decision.ts';
export { explainRouting } from './explain-routing.ts';
export { findPaymentsBehindHealth } from './find-payments-behind-health.ts';

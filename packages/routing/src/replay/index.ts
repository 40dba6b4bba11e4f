export { type Evaluation, evaluate, evaluateStored } from './evaluate.ts';
export { type DecisionComparison, compareDecisions } from './explain.ts';
export { type PastPayment, type ReplayConditions, type ReplayResult, accountsInReplay, createReplay } from './replay.ts';

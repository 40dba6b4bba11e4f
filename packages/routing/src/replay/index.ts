export { type Evaluation, evaluate, evaluateStored } from './evaluate.ts';
export { accountsInReplay, createReplay, type PastPayment, type ReplayConditions, type ReplayResult } from './replay.ts';

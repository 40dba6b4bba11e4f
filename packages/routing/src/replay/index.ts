export { type Evaluation, evaluate, evaluateStored } from './evaluate.ts';
export {
  accountsInReplay,
  createReplay,
  decideInShadow,
  type PastPayment,
  type ReplayConditions,
  type ReplayResult,
} from './replay.ts';
export { type ComparedPayments, newMovesTally, type OrderComparison, type WhatMoves } from './what-moves.ts';

export { decideInShadow } from './decide-in-shadow.ts';
export { type Evaluation, evaluate, evaluateStored } from './evaluate.ts';
export {
  accountsInReplay,
  createReplay,
  type FeeDifference,
  type Move,
  type PastPayment,
  type ReplayConditions,
  type ReplayResult,
  type WhatMoves,
} from './replay.ts';
export { type ConversionEstimate, estimateConversion } from './replay-conversion.ts';

export { decideInShadow } from './decide-in-shadow.ts';
export { type Evaluation, evaluate, evaluateStored } from './evaluate.ts';
export {
  accountsInReplay,
  createReplay,
  type FeeDifference,
  type OutcomeCounts,
  type PastPayment,
  type ReplayConditions,
  type ReplayResult,
} from './replay.ts';
export { type ConversionEstimate, estimateConversion } from './replay-conversion.ts';

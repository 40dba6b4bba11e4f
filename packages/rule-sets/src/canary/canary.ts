export {
  type CanaryInList,
  canaryMode,
  type DescribedCanary,
  describeCanary,
  listCanaries,
  listCanaryEndings,
} from './describe-canary.ts';
export {
  CANARY_DAYS,
  CANARY_PERCENT,
  promoteCanary,
  startCanary,
  stopCanary,
  TOLERATED_LOSS,
  widenCanary,
} from './start-canary.ts';
export { takeCanaryUnits } from './take-canary-units.ts';

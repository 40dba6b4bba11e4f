export { type FirstFault, readFirstFaults } from './first-faults.ts';
export { type IncidentImpact, measureImpact } from './measure-impact.ts';
export { measureOutage } from './measure-outage.ts';
export {
  type CurrencyImpact,
  IMPACT_OUTCOMES,
  type ImpactOutcome,
  type ImpactSum,
  type OutcomeSums,
} from './sum-impact.ts';

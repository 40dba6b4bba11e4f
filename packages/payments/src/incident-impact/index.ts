export { type IncidentImpact, measureImpact } from './measure-impact.ts';
export { type CurrencyImpact, IMPACT_OUTCOMES, type ImpactOutcome, type ImpactSum } from './sum-impact.ts';

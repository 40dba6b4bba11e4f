/* Decisions that the worlds drive: functions of records, times and random numbers alone. */

export { decideIncidents } from '@switchyard/alerts/incidents/decide';
export * from '@switchyard/payments/pure';
export * from '@switchyard/provider-health/pure';
export { compileRuleSet, decide } from '@switchyard/routing/decide';
export { recompute } from '@switchyard/routing/recompute';
export { matchSettlementLines } from '@switchyard/settlements/matching';

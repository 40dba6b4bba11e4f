/* What decides about health from counts alone, without a database or a clock: for simulations of it. */

export { accountHealthOf, assessHealth, type HealthAssessment } from './assess/assess-health.ts';
export { createHealthLedger } from './monitor/health-ledger.ts';
export { ANY_METHOD, createSeriesStore } from './monitor/health-series.ts';
export { DEFAULT_HEALTH_THRESHOLDS } from './thresholds/thresholds.ts';

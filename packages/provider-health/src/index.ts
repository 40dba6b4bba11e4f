export { accountHealthOf, assessHealth, type HealthAssessment, type HealthMemory } from './assess/assess-health.ts';
export { BUCKET_MS, bucketOf, sumSince, WINDOW_MS } from './assess/outcome-counts.ts';
export { learnUsualLatency, type UsualLatency } from './assess/usual-latency.ts';
export { putBackIntoRotation } from './configuration-faults/change-fault.ts';
export {
  type AccountCall,
  type ConfigurationFaultMonitor,
  createConfigurationFaultMonitor,
} from './configuration-faults/configuration-fault-monitor.ts';
export { describeFault } from './configuration-faults/describe-fault.ts';
export type { HealthContext } from './context.ts';
export { ageOutHealthCounts, ageOutHealthEvents } from './history/age-out-health.ts';
export { ATTEND_EVERY_MS, createAttendedTime } from './monitor/attended-time.ts';
export { compactHealthCounts } from './monitor/compact-health-counts.ts';
export type { KnownAccount } from './monitor/gateway-experience.ts';
export { createHealthMonitor, type HealthMonitor } from './monitor/health-monitor.ts';
export { ANY_METHOD } from './monitor/health-series.ts';
export { createLocalHealth, type LocalHealth } from './monitor/local-health.ts';
export { watchHealth } from './monitor/watch-health.ts';
export { thresholdsOf } from './thresholds/merchant-thresholds.ts';
export {
  checkHealthThresholds,
  DEFAULT_HEALTH_THRESHOLDS,
  HEALTH_THRESHOLD_BOUNDS,
  type HealthThresholds,
} from './thresholds/thresholds.ts';

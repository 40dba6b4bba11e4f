import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@switchyard/db';
import type { HealthContext } from './context.ts';
import { mergeHealthCounts } from './history/count-queries.ts';
import { describeHealth, type HealthOverview, type HealthQuery } from './history/describe-health.ts';

export { accountHealthOf, assessHealth, type HealthAssessment, type HealthMemory } from './assess/assess-health.ts';
export { BUCKET_MS, bucketOf, sumSince, WINDOW_MS } from './assess/outcome-counts.ts';
export { learnUsualLatency, type UsualLatency } from './assess/usual-latency.ts';
export { describeFault, putBackIntoRotation } from './configuration-faults/change-fault.ts';
export {
  type AccountCall,
  type ConfigurationFaultMonitor,
  createConfigurationFaultMonitor,
} from './configuration-faults/configuration-fault-monitor.ts';
export type { HealthContext } from './context.ts';
export { ATTEND_EVERY_MS, createAttendedTime } from './monitor/attended-time.ts';
export { ageOutGatewayCodes } from './monitor/gateway-codes.ts';
export type { KnownAccount } from './monitor/gateway-experience.ts';
export { createHealthMonitor, type HealthMonitor } from './monitor/health-monitor.ts';
export { ANY_METHOD } from './monitor/health-series.ts';
export { createLocalHealth, type LocalHealth } from './monitor/local-health.ts';
export {
  checkHealthThresholds,
  DEFAULT_HEALTH_THRESHOLDS,
  HEALTH_THRESHOLD_BOUNDS,
  type HealthThresholds,
  thresholdsOf,
} from './thresholds/thresholds.ts';

const POLL_MS = 1_000;

/**
 * Yields the health of accounts now and after each change, until `signal` is aborted. `query` is called for every poll, because the
 * viewer's access can change meanwhile.
 */
export async function* watchHealth(
  context: HealthContext,
  query: () => HealthQuery,
  signal: AbortSignal,
  pollMs = POLL_MS,
): AsyncGenerator<HealthOverview, void, void> {
  let lastShown = '';
  while (!signal.aborted) {
    const { asOf, ...overview } = await describeHealth(context, query());
    const current = JSON.stringify(overview);
    if (current !== lastShown) yield { asOf, ...overview };
    lastShown = current;
    // An abort is not an error: it ends the wait and the loop.
    await pause(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

const DELETE_COUNTS = `
DELETE FROM health_bucket WHERE (merchant_id, account_id, method, bucket_at, process_id) IN (
  SELECT merchant_id, account_id, method, bucket_at, process_id FROM health_bucket
  WHERE bucket_at < $1 ORDER BY bucket_at LIMIT $2)`;

/** Deletes health counts of all accounts from before a time, at most `limit` rows, oldest first; one at a time. Returns how many. */
export async function ageOutHealthCounts(database: Database, before: Date, limit: number): Promise<number> {
  const { rowCount } = await database.pool.query(DELETE_COUNTS, [before, limit]);
  return rowCount ?? 0;
}

const DELETE_EVENTS = `
DELETE FROM health_event WHERE merchant_id = $1 AND id IN (
  SELECT id FROM health_event WHERE merchant_id = $1 AND created_at < $2
  ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED)`;

/** Deletes health changes of a merchant's accounts from before a time, at most `limit`, oldest first. Returns how many. */
export async function ageOutHealthEvents(database: Database, merchantId: string, before: Date, limit: number): Promise<number> {
  const { rowCount } = await database.pool.query(DELETE_EVENTS, [merchantId, before, limit]);
  return rowCount ?? 0;
}

const MINUTE_MS = 60_000;
const FINE_MS = 24 * 60 * MINUTE_MS;

/**
 * Compacts stored counts: ten-second buckets per process for a day, then minutes of all processes together until they age out.
 * Safe to run in several processes at once.
 */
export async function compactHealthCounts({ resources, now }: Pick<HealthContext, 'resources' | 'now'>): Promise<void> {
  const minute = Math.floor(now().getTime() / MINUTE_MS) * MINUTE_MS;
  await mergeHealthCounts(resources.database, new Date(minute - FINE_MS));
}

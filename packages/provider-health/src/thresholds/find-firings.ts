import type { HealthSubject, StoredHealthReason } from '@switchyard/routing';
import { assessHealth, type HealthMemory } from '../assess/assess-health.ts';
import { BUCKET_MS, bucketOf, type OutcomeBucket, WINDOW_MS } from '../assess/outcome-counts.ts';
import { slowFromMs } from '../assess/usual-latency.ts';
import type { HealthThresholds } from './thresholds.ts';

/** One period in which an account would have been degraded or down, from healthy to healthy again, including relapses. */
export interface Firing {
  /** Its worst state. */
  readonly state: 'degraded' | 'down';
  /** Epoch milliseconds. */
  readonly at: number;
  /** Null where it was not healthy again at the end. */
  readonly until: number | null;
  /** Why it was in its worst state. */
  readonly why: StoredHealthReason;
}

/** Past outcomes of one account and method, to assess with the given thresholds. */
export interface FindFiringsInput {
  readonly subject: HealthSubject;
  /** Oldest first, each beginning once. */
  readonly buckets: readonly OutcomeBucket[];
  readonly thresholds: HealthThresholds;
  /** Epoch milliseconds. */
  readonly from: number;
  readonly to: number;
}

/**
 * When one account and method would have been degraded or down under given thresholds, with the recorded counts assessed every ten
 * seconds. The counts are the real ones: payments that routing would have sent elsewhere are not corrected for.
 */
export function findFirings({ subject, buckets, thresholds, from, to }: FindFiringsInput): readonly Firing[] {
  const usualMs = usualOf(buckets, thresholds);
  const slowMs = slowFromMs(usualMs, thresholds);
  const troubled = buckets.filter((bucket) => isTroubled(bucket, slowMs)).map(({ at }) => at);
  const found: Firing[] = [];
  let memory: HealthMemory = {
    state: 'healthy',
    since: from - WINDOW_MS,
    why: { code: 'unused' },
    countFrom: 0,
    relapses: 0,
    demotion: null,
  };
  let oldest = 0;
  let newest = 0;
  let next = 0;
  for (let at = bucketOf(from); at < to; at += BUCKET_MS) {
    while ((troubled[next] ?? Number.POSITIVE_INFINITY) <= at - WINDOW_MS) next += 1;
    // Skips steps that cannot change the state: a healthy account without faults in its window, a probed one without payments.
    const moving = memory.state === 'healthy' ? troubled[next] : memory.state === 'probing' ? buckets[oldest]?.at : at;
    if (moving === undefined) break;
    at = Math.max(at, moving);
    if (at >= to) break;
    while ((buckets[newest]?.at ?? Number.POSITIVE_INFINITY) <= at) newest += 1;
    while (oldest < newest && (buckets[oldest]?.at ?? 0) <= at - WINDOW_MS) oldest += 1;
    const now = at + BUCKET_MS - 1;
    const window = buckets.slice(oldest, newest);
    const assessed = assessHealth({ subject, buckets: window, previous: memory, usualMs, now, thresholds });
    memory = assessed;
    if (assessed.movedFrom !== null) recordChange(found, assessed, at);
  }
  return found;
}

/** Mean latency of openings that were not slow by the absolute threshold; null without any. */
function usualOf(buckets: readonly OutcomeBucket[], { slowMs }: HealthThresholds): number | null {
  const usual = buckets.filter(({ succeeded, latencyMsSum }) => succeeded > 0 && latencyMsSum / succeeded < slowMs);
  const succeeded = usual.reduce((sum, bucket) => sum + bucket.succeeded, 0);
  return succeeded === 0 ? null : usual.reduce((sum, bucket) => sum + bucket.latencyMsSum, 0) / succeeded;
}

function isTroubled({ faulted, succeeded, latencyMsSum, lookups }: OutcomeBucket, slowMs: number): boolean {
  return faulted > 0 || (lookups?.failed ?? 0) > 0 || (succeeded > 0 && latencyMsSum / succeeded >= slowMs);
}

function recordChange(found: Firing[], { state, why }: HealthMemory, at: number): void {
  const last = found.at(-1);
  const isTrouble = state === 'degraded' || state === 'down';
  if (last === undefined || last.until !== null) {
    if (isTrouble) found.push({ state, at, until: null, why });
  } else if (state === 'healthy') found.splice(-1, 1, { ...last, until: at });
  else if (state === 'down' && last.state === 'degraded') found.splice(-1, 1, { ...last, state, why });
}

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Mode } from '@switchyard/db/client';
import { gatewayTitle } from '@switchyard/gateways';
import type { HealthSubject, PaymentMethod, StoredHealthReason } from '@switchyard/routing';
import { assessHealth, type HealthMemory } from '../assess/assess-health.ts';
import { BUCKET_MS, bucketOf, type OutcomeBucket, WINDOW_MS } from '../assess/outcome-counts.ts';
import { slowFromMs } from '../assess/usual-latency.ts';
import type { HealthContext } from '../context.ts';
import { toBucket } from '../monitor/health-series.ts';
import { type HealthThresholds, thresholdsOf } from '../thresholds/thresholds.ts';
import { readHealthHistory } from './count-queries.ts';
import { toMethod } from './describe-health.ts';

/** Thresholds to try on the outcomes of past days. */
export interface PreviewThresholdsQuery {
  readonly merchantId: string;
  readonly mode: Mode;
  /** 1 to 31. */
  readonly days: number;
  readonly thresholds: HealthThresholds;
}

/** How often an account and method would have been degraded or down, under the current and the proposed thresholds. */
export interface SeriesPreview {
  readonly accountId: string;
  readonly label: string;
  /** Null for the account as a whole. */
  readonly method: PaymentMethod | null;
  readonly inForce: FiringSum;
  readonly proposed: FiringSum;
  /** The latest of the proposed ones, newest first. */
  readonly latest: readonly Firing[];
}

/** How often an account would have left the healthy state, and for how long. */
export interface FiringSum {
  /** How often it was degraded at worst, and how often down. */
  readonly degraded: number;
  readonly down: number;
  /** Milliseconds from healthy to healthy again, all together. */
  readonly unhealthyMs: number;
}

/** Effects that the thresholds would have had in the period, beside those of the active ones. */
export interface ThresholdPreview {
  readonly from: Date;
  readonly to: Date;
  readonly thresholds: HealthThresholds;
  readonly series: readonly SeriesPreview[];
}

const DAY_MS = 86_400_000;
const DAYS_MAX = 31;
const LATEST_MAX = 20;
/** A month of minutes and a day of tens of seconds, for every method there is. */
const ROWS_MAX = 500_000;

/**
 * Computes how often thresholds would have fired over the stored counts: steps of ten seconds for the last day, minutes before that.
 * Null for an unknown merchant. Accounts are read one after the other, so that memory stays bounded.
 */
export async function previewThresholds(
  context: HealthContext,
  { merchantId, mode, days, thresholds }: PreviewThresholdsQuery,
): Promise<ThresholdPreview | null> {
  const { configuration, database } = context.resources;
  await configuration.ready();
  const merchant = configuration.merchant(merchantId);
  if (merchant === undefined) return null;
  const to = context.now();
  const from = new Date(to.getTime() - Math.min(Math.max(1, days), DAYS_MAX) * DAY_MS);
  const current = thresholdsOf(merchant, mode);
  const series: SeriesPreview[] = [];
  for (const { id, label, gateway } of merchant.accounts.filter((account) => account.mode === mode)) {
    const scope = { merchantIds: [merchantId], accountIds: [id], from, to, stepMs: BUCKET_MS };
    const steps = await readHealthHistory(database, scope, ROWS_MAX);
    for (const [word, own] of Map.groupBy(steps, (step) => step.method)) {
      const method = toMethod(word);
      const subject = { gateway: gatewayTitle(gateway), method };
      const input = { subject, buckets: own.map((step) => toBucket(step.at, step)), from: from.getTime(), to: to.getTime() };
      const inForce = findFirings({ ...input, thresholds: current });
      await yieldToEventLoop();
      const proposed = findFirings({ ...input, thresholds });
      await yieldToEventLoop();
      const latest = proposed.slice(-LATEST_MAX).reverse();
      series.push({ accountId: id, label, method, inForce: sum(inForce, to), proposed: sum(proposed, to), latest });
    }
  }
  return { from, to, thresholds, series };
}

function sum(firings: readonly Firing[], to: Date): FiringSum {
  return {
    degraded: firings.filter(({ state }) => state === 'degraded').length,
    down: firings.filter(({ state }) => state === 'down').length,
    unhealthyMs: firings.reduce((total, { at, until }) => total + (until ?? to.getTime()) - at, 0),
  };
}

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

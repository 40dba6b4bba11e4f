import type { FaultKind } from '@switchyard/routing';
import type { HealthThresholds } from '../thresholds/thresholds.ts';
import { failsNow, recoveredAt } from './judge-probes.ts';
import {
  addCounts,
  BUCKET_MS,
  bucketOf,
  faultShare,
  type LookupCounts,
  meanLatencyMs,
  NO_COUNTS,
  type OutcomeBucket,
  type OutcomeCounts,
  samplesIn,
  sumSince,
  WINDOW_MS,
} from './outcome-counts.ts';
import { slowFromMs } from './usual-latency.ts';

/** A failed opening of this process that no successful one at the account has followed. */
export interface FaultInRow {
  /** When the opening began, epoch milliseconds. */
  readonly at: number;
  readonly kind: FaultKind;
}

/** Counts of a span of time that ends now. */
export interface EvidenceSpan {
  readonly counts: OutcomeCounts;
  readonly spanMs: number;
}

/** All input of an assessment. */
export interface Evidence {
  /** From the shortest to the whole window. */
  readonly spans: readonly EvidenceSpan[];
  readonly window: EvidenceSpan;
  /** Oldest first. */
  readonly run: readonly FaultInRow[];
  /** No checkout was opened in the window, whatever `countFrom` is. */
  readonly idle: boolean;
  /** The same spans without what look-ups met before they recovered last: only look-ups in them say what is so now. */
  readonly lookupSpans: readonly EvidenceSpan[];
  /** True if look-ups fail now: not those of minutes ago alone. */
  readonly lookupsFail: boolean;
}

/** The cause of a state change, with its figures. */
export interface Trigger extends EvidenceSpan {
  readonly cause: 'faults' | 'slow' | 'lookups';
}

/** The shortest span detects a sudden outage, the longest a fault at little traffic. */
const SPANS_MS = [10_000, 20_000, 30_000, 60_000, 120_000, WINDOW_MS];
/** A partial failure needs at least this span: a few faults in a row are common within a few seconds. */
const DEGRADED_SPAN_MIN_MS = 60_000;
/** A few faults in a row mean down only when they span some time: a gateway with a momentary failure is not down. */
const RUN_MS = 2_000;

/** Collects the evidence since `countFrom` from the counts of all processes and this process's own latest faults. */
export function readEvidence(
  buckets: readonly OutcomeBucket[],
  run: readonly FaultInRow[],
  countFrom: number,
  now: number,
): Evidence {
  const newest = bucketOf(now) + BUCKET_MS;
  const spansFrom = (least: number) =>
    SPANS_MS.map((ms): EvidenceSpan => {
      const from = Math.max(newest - ms, least);
      return { counts: sumSince(buckets, from), spanMs: Math.min(ms, Math.max(1_000, now - from)) };
    });
  const spans = spansFrom(countFrom);
  const failing = buckets.some(({ at, lookups }) => at >= countFrom && (lookups?.failed ?? 0) > 0);
  const counted = failing ? buckets.filter(({ at }) => at >= countFrom) : [];
  const recovered = recoveredAt(counted);
  const window = spans.at(-1) ?? { counts: NO_COUNTS, spanMs: WINDOW_MS };
  return {
    spans,
    window,
    run: run.filter(({ at }) => at >= countFrom && at > now - WINDOW_MS),
    idle: samplesIn(sumSince(buckets, newest - WINDOW_MS)) === 0,
    lookupSpans: recovered === null ? spans : spansFrom(recovered),
    lookupsFail: failsNow(counted),
  };
}

/** Why the account is down by its openings. Null when it is not. */
export function findOutage({ spans, window, run }: Evidence, now: number, thresholds: HealthThresholds): Trigger | null {
  const { minSamples, hardFaults, downShare } = thresholds;
  const long = run.length >= hardFaults && now - (run[0]?.at ?? now) >= RUN_MS;
  if (long || run.length >= Math.max(minSamples, hardFaults)) return triggerOfRun(run, now);
  if (window.counts.succeeded === 0 && window.counts.faulted >= hardFaults)
    return { ...shortestOf(spans, window), cause: 'faults' };
  const bad = spans.find(({ counts }) => samplesIn(counts) >= minSamples && faultShare(counts) >= downShare);
  return bad === undefined ? null : { ...bad, cause: 'faults' };
}

/** The shortest span with all faults of the window. */
function shortestOf(spans: readonly EvidenceSpan[], window: EvidenceSpan): EvidenceSpan {
  return spans.find(({ counts }) => counts.faulted === window.counts.faulted) ?? window;
}

function triggerOfRun(run: readonly FaultInRow[], now: number): Trigger {
  const counts = run.reduce<OutcomeCounts>(
    (sum, { kind }) => addCounts(sum, { succeeded: 0, faulted: 1, latencyMsSum: 0, faults: { [kind]: 1 } }),
    NO_COUNTS,
  );
  const spanMs = Math.max(1_000, now - (run[0]?.at ?? now));
  return { cause: 'faults', counts, spanMs };
}

/**
 * Why an account that opened nothing is down by its look-ups: they fail now, and did so since they last recovered. Null when it is not.
 */
export function findLookupOutage({ idle, lookupSpans, lookupsFail }: Evidence, thresholds: HealthThresholds): Trigger | null {
  if (!idle || !lookupsFail) return null;
  const bad = lookupSpans.find(({ counts: { lookups = NO_LOOKUPS } }) => areLookupsDown(lookups, thresholds));
  return bad === undefined ? null : { ...bad, cause: 'lookups' };
}

const NO_LOOKUPS: LookupCounts = { answered: 0, failed: 0 };

function areLookupsDown({ answered, failed }: LookupCounts, thresholds: HealthThresholds): boolean {
  if (answered === 0) return failed >= thresholds.hardFaults;
  return answered + failed >= thresholds.minSamples && failed >= thresholds.downShare * (answered + failed);
}

/** Why the account is degraded: it fails too often, or is too slow. Null when it is not. */
export function findDegraded({ spans }: Evidence, usualMs: number | null, thresholds: HealthThresholds): Trigger | null {
  const { minSamples, hardFaults, degradedShare } = thresholds;
  const faulty = spans.find(
    ({ counts, spanMs }) =>
      spanMs >= DEGRADED_SPAN_MIN_MS - BUCKET_MS &&
      samplesIn(counts) >= minSamples &&
      counts.faulted >= hardFaults &&
      faultShare(counts) >= degradedShare,
  );
  if (faulty !== undefined) return { ...faulty, cause: 'faults' };
  // The shortest span with enough samples shows the current latency.
  const lately = spans.find(({ counts }) => counts.succeeded >= minSamples);
  if (lately === undefined || meanLatencyMs(lately.counts) < slowFromMs(usualMs, thresholds)) return null;
  return { ...lately, cause: 'slow' };
}

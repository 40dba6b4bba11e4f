import type { FaultKind } from '@switchyard/routing';
import type { HealthThresholds } from '../thresholds/thresholds.ts';
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
  const spans = SPANS_MS.map((ms) => {
    const from = Math.max(newest - ms, countFrom);
    return { counts: sumSince(buckets, from), spanMs: Math.min(ms, Math.max(1_000, now - from)) };
  });
  const window = spans.at(-1) ?? { counts: NO_COUNTS, spanMs: WINDOW_MS };
  return {
    spans,
    window,
    run: run.filter(({ at }) => at >= countFrom && at > now - WINDOW_MS),
    idle: samplesIn(sumSince(buckets, newest - WINDOW_MS)) === 0,
  };
}

/** Why the account is down: by its openings, or by look-ups where it opened none. Null when it is not. */
export function findDown(evidence: Evidence, now: number, thresholds: HealthThresholds): Trigger | null {
  return findOutage(evidence, now, thresholds) ?? findLookupOutage(evidence, thresholds);
}

function findOutage({ spans, window, run }: Evidence, now: number, thresholds: HealthThresholds): Trigger | null {
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

function findLookupOutage({ idle, spans }: Evidence, thresholds: HealthThresholds): Trigger | null {
  if (!idle) return null;
  const bad = spans.find(({ counts: { lookups = NO_LOOKUPS } }) => areLookupsDown(lookups, thresholds));
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

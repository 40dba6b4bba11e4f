import type { HealthThresholds } from '../thresholds/thresholds.ts';
import {
  addCounts,
  BUCKET_MS,
  bucketOf,
  type FaultKind,
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

/** A failed opening of this process, none of whose openings at the account succeeded since. */
export interface FaultInRow {
  /** When the opening began, epoch milliseconds. */
  readonly at: number;
  readonly kind: FaultKind;
  /** True while the opening is under way and goes unanswered. */
  readonly overdue?: true;
}

/** What was counted in one stretch of time up to now. */
export interface CoverageSpan {
  readonly counts: OutcomeCounts;
  readonly spanMs: number;
}

/** Everything a judgement may go by. */
export interface Evidence {
  /** From the shortest to the whole window. */
  readonly stretches: readonly CoverageSpan[];
  readonly window: CoverageSpan;
  /** Oldest first. */
  readonly run: readonly FaultInRow[];
  /** No checkout was opened in the window, also before what is past and forgiven. */
  readonly idle: boolean;
}

/** What moved a state, and the figures that say so. */
export interface Trigger extends CoverageSpan {
  readonly cause: 'faults' | 'slow' | 'lookups';
  /** True when some of the faults are openings under way that may still be answered. */
  readonly unanswered?: true;
}

/** The shortest stretch tells of a sudden outage, the longest of trouble at little traffic. */
const STRETCHES_MS = [10_000, 20_000, 30_000, 60_000, 120_000, WINDOW_MS];
/** A share of a partial failure is read from no less: a few faults in a row are common in a few seconds. */
const DEGRADED_STRETCH_MS = 60_000;
/** A few faults in a row mean down only when they span some time: a gateway that is shaken for a moment is not down. */
const RUN_MS = 2_000;
/** Openings that are overdue have each gone unanswered for longer than an answer takes. */
const OVERDUE_RUN_MS = 1_000;

/** Reads the evidence since `countFrom` out of the counts of all processes and this process's own latest faults. */
export function readEvidence(
  buckets: readonly OutcomeBucket[],
  run: readonly FaultInRow[],
  countFrom: number,
  now: number,
): Evidence {
  const newest = bucketOf(now) + BUCKET_MS;
  const stretches = STRETCHES_MS.map((ms) => {
    const from = Math.max(newest - ms, countFrom);
    return { counts: sumSince(buckets, from), spanMs: Math.min(ms, Math.max(1_000, now - from)) };
  });
  const window = stretches.at(-1) ?? { counts: NO_COUNTS, spanMs: WINDOW_MS };
  return {
    stretches,
    window,
    run: run.filter(({ at }) => at >= countFrom && at > now - WINDOW_MS),
    idle: samplesIn(sumSince(buckets, newest - WINDOW_MS)) === 0,
  };
}

/** Why the account is down, by its openings; by look-ups only where it opened nothing. Null when it is not. */
export function findDown(evidence: Evidence, now: number, thresholds: HealthThresholds): Trigger | null {
  return findOutage(evidence, now, thresholds) ?? findLookupOutage(evidence, thresholds);
}

function findOutage({ stretches, window, run }: Evidence, now: number, thresholds: HealthThresholds): Trigger | null {
  const { minSamples, hardFaults, downShare } = thresholds;
  const runMs = run.some(({ overdue }) => overdue === true) ? OVERDUE_RUN_MS : RUN_MS;
  const long = run.length >= hardFaults && now - (run[0]?.at ?? now) >= runMs;
  if (long || run.length >= Math.max(minSamples, hardFaults)) return triggerOfRun(run, now);
  if (window.counts.succeeded === 0 && window.counts.faulted >= hardFaults)
    return { ...shortestOf(stretches, window), cause: 'faults' };
  const bad = stretches.find(({ counts }) => samplesIn(counts) >= minSamples && faultShare(counts) >= downShare);
  return bad === undefined ? null : { ...bad, cause: 'faults' };
}

/** The shortest stretch that holds all faults of the window. */
function shortestOf(stretches: readonly CoverageSpan[], window: CoverageSpan): CoverageSpan {
  return stretches.find(({ counts }) => counts.faulted === window.counts.faulted) ?? window;
}

function triggerOfRun(run: readonly FaultInRow[], now: number): Trigger {
  const counts = run.reduce<OutcomeCounts>(
    (sum, { kind }) => addCounts(sum, { succeeded: 0, faulted: 1, latencyMsSum: 0, faults: { [kind]: 1 } }),
    NO_COUNTS,
  );
  const spanMs = Math.max(1_000, now - (run[0]?.at ?? now));
  return { cause: 'faults', counts, spanMs, ...(run.some(({ overdue }) => overdue === true) && { unanswered: true }) };
}

function findLookupOutage({ idle, stretches }: Evidence, thresholds: HealthThresholds): Trigger | null {
  if (!idle) return null;
  const bad = stretches.find(({ counts: { lookups = NO_LOOKUPS } }) => areLookupsDown(lookups, thresholds));
  return bad === undefined ? null : { ...bad, cause: 'lookups' };
}

const NO_LOOKUPS: LookupCounts = { answered: 0, failed: 0 };

function areLookupsDown({ answered, failed }: LookupCounts, thresholds: HealthThresholds): boolean {
  if (answered === 0) return failed >= thresholds.hardFaults;
  return answered + failed >= thresholds.minSamples && failed >= thresholds.downShare * (answered + failed);
}

/** Why the account is degraded: it fails too often, or is too slow. Null when it is not. */
export function findDegraded({ stretches }: Evidence, usualMs: number | null, thresholds: HealthThresholds): Trigger | null {
  const { minSamples, hardFaults, degradedShare } = thresholds;
  const faulty = stretches.find(
    ({ counts, spanMs }) =>
      spanMs >= DEGRADED_STRETCH_MS - BUCKET_MS &&
      samplesIn(counts) >= minSamples &&
      counts.faulted >= hardFaults &&
      faultShare(counts) >= degradedShare,
  );
  if (faulty !== undefined) return { ...faulty, cause: 'faults' };
  // The first stretch with enough of them is what customers met lately.
  const lately = stretches.find(({ counts }) => counts.succeeded >= minSamples);
  if (lately === undefined || meanLatencyMs(lately.counts) < slowFromMs(usualMs, thresholds)) return null;
  return { ...lately, cause: 'slow' };
}

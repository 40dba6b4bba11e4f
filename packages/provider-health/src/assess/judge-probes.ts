import type { HealthThresholds } from '../thresholds/thresholds.ts';
import { addCounts, BUCKET_MS, bucketOf, type LookupCounts, NO_COUNTS, type OutcomeBucket } from './outcome-counts.ts';

/** Evidence of free calls (status checks of payments, probes) about a fault that checkouts met. */
export type ProbeVerdict =
  /** Too few of them failed: they do not see the fault, and their answers prove nothing about it. */
  | { readonly kind: 'unseen' }
  /** They fail now, as checkouts would. */
  | { readonly kind: 'failing' }
  /** They failed, and all since `since` (epoch milliseconds) were answered: the fault that they saw is over. */
  | { readonly kind: 'answered'; readonly since: number; readonly answered: number };

/** Nothing known of free calls. */
export const UNSEEN: ProbeVerdict = { kind: 'unseen' };

/** Fewest failed calls with which free calls see a fault. */
const SEEN_FROM = 3;
/** Least time that calls must be answered for after the last one failed. */
const STEADY_MS = 15_000;
/** Calls of this period show the present. */
const PRESENT_MS = 30_000;
/** Probability, at most, that a gateway still failing as often as it did would answer so many calls in a row. */
const FALSE_PROOF_MAX = 0.1;
/** Most answers in a row that are required. */
const ANSWERS_MAX = 20;

/**
 * Judges the free calls since `from`, from the counts of all processes. A call can prove the end only of a fault that it could see: answers
 * count once enough calls had failed.
 */
export function judgeProbes(
  buckets: readonly OutcomeBucket[],
  from: number,
  now: number,
  { probePayments, degradedShare }: Pick<HealthThresholds, 'probePayments' | 'degradedShare'>,
): ProbeVerdict {
  const known = buckets.filter(({ at }) => at >= bucketOf(from));
  const failedAt = known.filter(({ lookups }) => (lookups?.failed ?? 0) > 0).map(({ at }) => at);
  const lastFailedAt = Math.max(...failedAt);
  // Answers from before the fault say nothing of how many of its calls fail.
  const seen = lookupsOf(known.filter(({ at }) => at >= Math.min(...failedAt) && at <= lastFailedAt));
  if (seen.failed < SEEN_FROM) return UNSEEN;
  const { answered } = lookupsOf(known.filter(({ at }) => at > lastFailedAt));
  const since = lastFailedAt + BUCKET_MS;
  if (answered >= answersNeeded(failedShare(seen), probePayments) && now - since >= STEADY_MS)
    return { kind: 'answered', since, answered };
  const lately = lookupsOf(known.filter(({ at }) => at >= bucketOf(now - PRESENT_MS)));
  return lately.failed > 0 && failedShare(lately) >= degradedShare ? { kind: 'failing' } : UNSEEN;
}

/** True if the latest ten seconds with a call have one that failed. */
export function failsNow(buckets: readonly OutcomeBucket[]): boolean {
  const called = byTime(buckets).filter(({ lookups: { answered, failed } }) => answered + failed > 0);
  return (called.at(-1)?.lookups.failed ?? 0) > 0;
}

/**
 * Since when, in epoch milliseconds, calls have been answered that had failed before; the latest such time, although they may have failed
 * again since. Null where they did not fail and recover.
 */
export function recoveredAt(buckets: readonly OutcomeBucket[]): number | null {
  let from: number | null = null;
  let failed = 0;
  let answered = 0;
  let answeredFrom: number | null = null;
  for (const { at, lookups } of byTime(buckets)) {
    if (lookups.failed > 0) {
      failed += lookups.failed;
      answered = 0;
      answeredFrom = null;
      continue;
    }
    if (lookups.answered === 0) continue;
    answeredFrom ??= at;
    answered += lookups.answered;
    if (failed < SEEN_FROM || answered < SEEN_FROM || at - answeredFrom < BUCKET_MS) continue;
    from = answeredFrom;
    failed = 0;
  }
  return from;
}

interface CallsAt {
  readonly at: number;
  readonly lookups: LookupCounts;
}

/** The calls of all processes by bucket, the oldest first. */
function byTime(buckets: readonly OutcomeBucket[]): CallsAt[] {
  const sums = new Map<number, LookupCounts>();
  for (const { at, lookups = NO_LOOKUPS } of buckets) {
    const { answered, failed } = sums.get(at) ?? NO_LOOKUPS;
    sums.set(at, { answered: answered + lookups.answered, failed: failed + lookups.failed });
  }
  return [...sums].map(([at, lookups]) => ({ at, lookups })).sort((one, other) => one.at - other.at);
}

/** Number of answers in a row that what fails for this share of calls would hardly reach; `least` where it failed always or never. */
export function answersNeeded(share: number, least: number): number {
  if (share === 0 || share === 1) return least;
  return Math.max(least, Math.min(ANSWERS_MAX, Math.ceil(Math.log(FALSE_PROOF_MAX) / Math.log(1 - share))));
}

const NO_LOOKUPS: LookupCounts = { answered: 0, failed: 0 };

function lookupsOf(buckets: readonly OutcomeBucket[]): LookupCounts {
  return buckets.reduce(addCounts, NO_COUNTS).lookups ?? NO_LOOKUPS;
}

function failedShare({ answered, failed }: LookupCounts): number {
  return failed / Math.max(1, answered + failed);
}

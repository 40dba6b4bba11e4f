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
  const lastFailedAt = Math.max(...known.filter(({ lookups }) => (lookups?.failed ?? 0) > 0).map(({ at }) => at));
  const seen = lookupsOf(known.filter(({ at }) => at <= lastFailedAt));
  if (seen.failed < SEEN_FROM) return UNSEEN;
  const { answered } = lookupsOf(known.filter(({ at }) => at > lastFailedAt));
  const since = lastFailedAt + BUCKET_MS;
  if (answered >= answersNeeded(failedShare(seen), probePayments) && now - since >= STEADY_MS)
    return { kind: 'answered', since, answered };
  const lately = lookupsOf(known.filter(({ at }) => at >= bucketOf(now - PRESENT_MS)));
  return lately.failed > 0 && failedShare(lately) >= degradedShare ? { kind: 'failing' } : UNSEEN;
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

import type { FaultKind } from '@switchyard/routing';

/** Evidence of a gateway's health in the outcome of a call. Customer declines and our own misconfiguration are ignored. */
export type HealthOutcome = 'succeeded' | 'provider_fault' | 'ignored';

/** Faults that affect all merchants. Rate limits and unreadable answers may be caused by one merchant. */
export const SHARED_FAULT_KINDS: readonly FaultKind[] = ['timed_out', 'refused', 'server_error'];

/** Look-ups of payments and idle probes: answered, and failed by the provider's fault. */
export interface LookupCounts {
  readonly answered: number;
  readonly failed: number;
}

/** Counts of one account and method in some span of time. `succeeded` and `faulted` are openings of checkouts. */
export interface OutcomeCounts {
  readonly succeeded: number;
  readonly faulted: number;
  /** Milliseconds of all openings that succeeded together. */
  readonly latencyMsSum: number;
  readonly faults?: Readonly<Partial<Record<FaultKind, number>>>;
  /** Absent for none. */
  readonly lookups?: LookupCounts;
}

/** Counts of the ten seconds that begin at `at`; several may share one `at` (one per process). */
export interface OutcomeBucket extends OutcomeCounts {
  /** Epoch milliseconds, a multiple of {@link BUCKET_MS}. */
  readonly at: number;
}

/** Outcomes are counted in buckets of this length, aligned to the epoch. */
export const BUCKET_MS = 10_000;

/** The state of a healthy account follows from outcomes of this period up to now. */
export const WINDOW_MS = 300_000;

/** The bucket a moment falls into: its beginning, in epoch milliseconds. */
export function bucketOf(epochMs: number): number {
  return Math.floor(epochMs / BUCKET_MS) * BUCKET_MS;
}

/** The beginning of the first bucket that holds nothing from before a moment. */
export function nextBucketOf(epochMs: number): number {
  return Math.ceil(epochMs / BUCKET_MS) * BUCKET_MS;
}

/** A bucket without outcomes. */
export const NO_COUNTS: OutcomeCounts = { succeeded: 0, faulted: 0, latencyMsSum: 0 };

/** Adds one outcome. `ignored` changes nothing: declines alone can never move a state. */
export function countOutcome(
  counts: OutcomeCounts,
  outcome: HealthOutcome,
  detail: { readonly latencyMs: number; readonly kind?: FaultKind },
): OutcomeCounts {
  switch (outcome) {
    case 'succeeded':
      return { ...counts, succeeded: counts.succeeded + 1, latencyMsSum: counts.latencyMsSum + detail.latencyMs };
    case 'provider_fault': {
      const faults = detail.kind === undefined ? {} : { [detail.kind]: (counts.faults?.[detail.kind] ?? 0) + 1 };
      return { ...counts, faulted: counts.faulted + 1, faults: { ...counts.faults, ...faults } };
    }
    case 'ignored':
      return counts;
    default:
      return outcome satisfies never;
  }
}

/** Everything counted in buckets that begin at or after `from`. */
export function sumSince(buckets: readonly OutcomeBucket[], from: number): OutcomeCounts {
  let sum = NO_COUNTS;
  for (const bucket of buckets) if (bucket.at >= from) sum = addCounts(sum, bucket);
  return sum;
}

/** Both counts together. */
export function addCounts(left: OutcomeCounts, right: OutcomeCounts): OutcomeCounts {
  return {
    succeeded: left.succeeded + right.succeeded,
    faulted: left.faulted + right.faulted,
    latencyMsSum: left.latencyMsSum + right.latencyMsSum,
    faults: right.faulted === 0 ? (left.faults ?? {}) : addFaults(left.faults ?? {}, right.faults ?? {}),
    lookups: addLookups(left.lookups, right.lookups),
  };
}

const NO_LOOKUPS: LookupCounts = { answered: 0, failed: 0 };

function addLookups(left: LookupCounts = NO_LOOKUPS, right: LookupCounts = NO_LOOKUPS): LookupCounts {
  if (right.answered === 0 && right.failed === 0) return left;
  return { answered: left.answered + right.answered, failed: left.failed + right.failed };
}

function addFaults(left: NonNullable<OutcomeCounts['faults']>, right: NonNullable<OutcomeCounts['faults']>): typeof left {
  const sum = (kind: FaultKind) => (left[kind] ?? 0) + (right[kind] ?? 0);
  return {
    timed_out: sum('timed_out'),
    refused: sum('refused'),
    server_error: sum('server_error'),
    rate_limited: sum('rate_limited'),
    malformed: sum('malformed'),
  };
}

/** Openings that count. */
export function samplesIn(counts: Pick<OutcomeCounts, 'succeeded' | 'faulted'>): number {
  return counts.succeeded + counts.faulted;
}

/** Share of faults, 0 to 1; 0 when nothing was counted. */
export function faultShare(counts: Pick<OutcomeCounts, 'succeeded' | 'faulted'>): number {
  const samples = samplesIn(counts);
  return samples === 0 ? 0 : counts.faulted / samples;
}

/** Mean of successful openings, in milliseconds; 0 when there was none. */
export function meanLatencyMs(counts: OutcomeCounts): number {
  return counts.succeeded === 0 ? 0 : counts.latencyMsSum / counts.succeeded;
}

/** Number of faults that affect all merchants. */
export function sharedFaultsIn({ faults }: OutcomeCounts): number {
  return SHARED_FAULT_KINDS.reduce((sum, kind) => sum + (faults?.[kind] ?? 0), 0);
}

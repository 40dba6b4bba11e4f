/** What an answer of a gateway says of its health. A customer's decline and our own misconfiguration say nothing. */
export type HealthOutcome = 'succeeded' | 'provider_fault' | 'ignored';

/** How a provider failed, for the sentence; counted only where it is known. */
export const FAULT_KINDS = ['timed_out', 'refused', 'server_error', 'malformed'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** What was seen of one account and method in one stretch of time. */
export interface OutcomeCounts {
  readonly succeeded: number;
  readonly faulted: number;
  /** Milliseconds of all successful calls together. */
  readonly latencyMsSum: number;
  readonly faults?: Readonly<Partial<Record<FaultKind, number>>>;
}

/** Counts of the ten seconds that begin at `at`; several may share one `at` (one per process). */
export interface OutcomeBucket extends OutcomeCounts {
  /** Epoch milliseconds, a multiple of {@link BUCKET_MS}. */
  readonly at: number;
}

export const BUCKET_MS = 10_000;
export const WINDOW_MS = 300_000;

/** The bucket a moment falls into: its beginning, in epoch milliseconds. */
export function bucketOf(epochMs: number): number {
  return Math.floor(epochMs / BUCKET_MS) * BUCKET_MS;
}

const NOTHING: OutcomeCounts = { succeeded: 0, faulted: 0, latencyMsSum: 0 };

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
  return buckets.filter((bucket) => bucket.at >= from).reduce<OutcomeCounts>(addCounts, NOTHING);
}

function addCounts(left: OutcomeCounts, right: OutcomeCounts): OutcomeCounts {
  return {
    succeeded: left.succeeded + right.succeeded,
    faulted: left.faulted + right.faulted,
    latencyMsSum: left.latencyMsSum + right.latencyMsSum,
    faults: addFaults(left.faults ?? {}, right.faults ?? {}),
  };
}

function addFaults(left: NonNullable<OutcomeCounts['faults']>, right: NonNullable<OutcomeCounts['faults']>): typeof left {
  const sum = (kind: FaultKind) => (left[kind] ?? 0) + (right[kind] ?? 0);
  return { timed_out: sum('timed_out'), refused: sum('refused'), server_error: sum('server_error'), malformed: sum('malformed') };
}

/** Outcomes that count. */
export function samplesIn(counts: OutcomeCounts): number {
  return counts.succeeded + counts.faulted;
}

/** Share of faults, 0 to 1; 0 when nothing was counted. */
export function faultShare(counts: OutcomeCounts): number {
  const samples = samplesIn(counts);
  return samples === 0 ? 0 : counts.faulted / samples;
}

/** Mean of successful calls, in milliseconds; 0 when there was none. */
export function meanLatencyMs(counts: OutcomeCounts): number {
  return counts.succeeded === 0 ? 0 : counts.latencyMsSum / counts.succeeded;
}

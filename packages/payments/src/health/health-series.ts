import type { HealthCounts } from '@switchyard/db';
import type { AccountHealth, FaultKind, HealthAssessment, HealthMemory, HealthOutcome, OutcomeBucket } from '@switchyard/routing';
import { PAYMENT_METHODS, WINDOW_MS } from '@switchyard/routing';

/** Counts of all methods of an account together stand under this. */
export const ANY_METHOD = '*';

/** What one account, with one method, was seen to do lately, by all processes. */
export interface HealthSeries {
  readonly merchantId: string;
  readonly accountId: string;
  readonly method: string;
  buckets: OutcomeBucket[];
  memory: HealthMemory | null;
  /** Version of the stored memory; 0 while there is none. */
  version: number;
  assessment: HealthAssessment | null;
  paid: number;
  unpaid: number;
}

export function newSeries({
  merchantId,
  accountId,
  method,
}: {
  merchantId: string;
  accountId: string;
  method: string;
}): HealthSeries {
  return { merchantId, accountId, method, buckets: [], memory: null, version: 0, assessment: null, paid: 0, unpaid: 0 };
}

export function seriesKey(accountId: string, method: string): string {
  return `${accountId}|${method}`;
}

/** Puts freshly read counts in the place of what was held of the same stretch, and drops what has left the window. */
export function mergeBuckets(
  held: readonly OutcomeBucket[],
  read: readonly HealthCounts[],
  readFrom: number,
  now: number,
): OutcomeBucket[] {
  const kept = held.filter(({ at }) => at < readFrom && at >= now - WINDOW_MS);
  return [...kept, ...read.map(toBucket)];
}

function toBucket(counts: HealthCounts): OutcomeBucket {
  const { succeeded, faulted, latencyMsSum, timedOut, refused, serverError, malformed } = counts;
  const faults = { timed_out: timedOut, refused, server_error: serverError, malformed };
  return { at: counts.bucketAt.getTime(), succeeded, faulted, latencyMsSum, faults };
}

/** The series as `decide` takes it; null for one that says nothing of its own, so that the whole account's speaks. */
export function toAccountHealth(series: HealthSeries, minSamples: number): AccountHealth | null {
  const { assessment, method } = series;
  if (assessment === null) return null;
  const samples = assessment.succeeded + assessment.faulted;
  if (method !== ANY_METHOD && assessment.state === 'healthy' && samples < minSamples) return null;
  return {
    accountId: series.accountId,
    method: PAYMENT_METHODS.find((known) => known === method) ?? null,
    state: assessment.state,
    why: assessment.why,
    since: new Date(assessment.since).toISOString(),
    succeeded: assessment.succeeded,
    faulted: assessment.faulted,
    probePercent: assessment.probePercent,
    paid: series.paid,
    unpaid: series.unpaid,
  };
}

/** Counts of one stretch not yet shared with the other processes. */
export type PendingCounts = { -readonly [Name in keyof HealthCounts]: HealthCounts[Name] };

export function emptyCounts(merchantId: string, accountId: string, method: string, bucketAt: Date): PendingCounts {
  const zero = { succeeded: 0, faulted: 0, paid: 0, unpaid: 0, timedOut: 0, refused: 0, serverError: 0, malformed: 0 };
  return { merchantId, accountId, method, bucketAt, ...zero, latencyMsSum: 0 };
}

/** Adds one provider outcome to pending counts. */
export function countInto(pending: PendingCounts, outcome: HealthOutcome, kind: FaultKind | undefined, latencyMs: number): void {
  switch (outcome) {
    case 'succeeded':
      pending.succeeded += 1;
      pending.latencyMsSum += latencyMs;
      return;
    case 'provider_fault':
      pending.faulted += 1;
      if (kind !== undefined) pending[FAULT_COLUMNS[kind]] += 1;
      return;
    case 'ignored':
      return;
    default:
      outcome satisfies never;
  }
}

const FAULT_COLUMNS = { timed_out: 'timedOut', refused: 'refused', server_error: 'serverError', malformed: 'malformed' } as const;

import {
  FAULT_KINDS,
  type HealthReason,
  type HealthState,
  type HealthSubject,
  type StoredHealthReason,
} from '@switchyard/routing';
import type { HealthThresholds } from '../thresholds/thresholds.ts';
import type { EvidenceSpan, Trigger } from './evidence.ts';
import { faultShare, meanLatencyMs, type OutcomeCounts, samplesIn } from './outcome-counts.ts';

/** Why an account was demoted, with the figures. */
export interface Demotion {
  readonly to: 'degraded' | 'down';
  /** `others`: only accounts of other merchants at the gateway saw the fault. */
  readonly cause: 'faults' | 'slow' | 'lookups' | 'others';
  /** When it was demoted, or demoted again, epoch milliseconds. */
  readonly at: number;
  /** Openings it is based on; 0 when it is based on look-ups or on others. */
  readonly succeeded: number;
  readonly faulted: number;
  /** Faults among them that affect all merchants. */
  readonly sharedFaults: number;
}

/** True if only accounts of other merchants saw why this one is not healthy. */
export function isByOthers({ state, demotion }: { readonly state: HealthState; readonly demotion: Demotion | null }): boolean {
  return state !== 'healthy' && demotion?.cause === 'others';
}

/*
 * The facts that explain a state. Moments are epoch milliseconds here and ISO 8601 in the facts; `describeHealthReason` of routing makes
 * the sentence.
 */

/** The reason of a healthy account; another one when there is too little data to assess it. */
export function healthyReason(
  subject: HealthSubject,
  { counts, spanMs }: EvidenceSpan,
  thresholds: HealthThresholds,
): HealthReason {
  const samples = samplesIn(counts);
  const { succeeded, faulted } = counts;
  if (samples >= thresholds.minSamples && faultShare(counts) < thresholds.degradedShare)
    return { code: 'healthy', ...subject, succeeded, samples, spanMs };
  const { answered, failed } = counts.lookups ?? { answered: 0, failed: 0 };
  return { code: 'not_enough_data', ...subject, faulted, samples, lookupsAnswered: answered, lookupsFailed: failed, spanMs };
}

/**
 * The reason of an account whose probe payments or look-ups were answered, or whose gateway's trouble was that of others alone, and is
 * over.
 */
export function recoveredReason(
  subject: HealthSubject,
  since: number,
  answered: number,
  proof: 'probe_payments' | 'lookups' | 'others',
): HealthReason {
  return { code: 'recovered', ...subject, since: toIso(since), proof, answered };
}

/** Progress of an account that is tried with single payments. Times are epoch milliseconds. */
export interface ProbingFacts {
  readonly since: number;
  readonly answered: number;
  readonly needed: number;
  /** Since when look-ups, which failed with its checkouts, are answered again; null while nothing shows that. */
  readonly lookupsSince: number | null;
}

/** The reason of an account that is tried with single payments. */
export function probingReason(
  subject: HealthSubject,
  { since, answered, needed, lookupsSince }: ProbingFacts,
): Extract<HealthReason, { code: 'probing' }> {
  const reason = { code: 'probing', ...subject, since: toIso(since), answered, needed } as const;
  return lookupsSince === null ? reason : { ...reason, lookupsSince: toIso(lookupsSince) };
}

/** Since when look-ups of a probing account, which failed with its checkouts, are answered again; null where they show nothing. */
export function answeredSince(why: StoredHealthReason): number | null {
  if (why?.code !== 'probing' || why.lookupsSince === undefined) return null;
  return Date.parse(why.lookupsSince);
}

/** State that an account was demoted to, and the trigger. */
export interface DemotionFacts {
  readonly state: 'degraded' | 'down';
  readonly since: number;
  readonly trigger: Trigger;
  /** True when a probe payment failed. */
  readonly again: boolean;
  readonly usualMs: number | null;
}

/** The reason of an account that was degraded or down. */
export function demotionReason(subject: HealthSubject, { state, since, trigger, again, usualMs }: DemotionFacts): HealthReason {
  const { cause, counts, spanMs } = trigger;
  const demoted = { ...subject, state, since: toIso(since), again };
  switch (cause) {
    case 'faults': {
      const samples = samplesIn(counts);
      return { code: 'faults', ...demoted, faulted: counts.faulted, samples, spanMs, main: mainFault(counts), unanswered: false };
    }
    case 'slow': {
      const latencyMs = Math.round(meanLatencyMs(counts));
      return { code: 'slow', ...demoted, latencyMs, usualMs: usualMs === null ? null : Math.round(usualMs) };
    }
    case 'lookups': {
      const { answered, failed } = counts.lookups ?? { answered: 0, failed: 0 };
      return { code: 'lookups_failed', ...demoted, answered, failed, spanMs };
    }
    default:
      return cause satisfies never;
  }
}

/** The kind that makes up more than half of the faults. */
function mainFault({ faulted, faults }: OutcomeCounts): Extract<HealthReason, { code: 'faults' }>['main'] {
  const kind = FAULT_KINDS.find((known) => (faults?.[known] ?? 0) * 2 > faulted);
  return kind === undefined ? null : { kind, count: faults?.[kind] ?? 0 };
}

/** Trouble of a gateway that other merchants observed: `faulted` of `samples` checkouts. */
interface PriorFacts extends Pick<DemotionFacts, 'state' | 'since'> {
  readonly faulted: number;
  readonly samples: number;
}

/** The reason of an account that opened nothing since its gateway fails for other merchants. */
export function priorReason(subject: HealthSubject, { state, since, faulted, samples }: PriorFacts): HealthReason {
  return { code: 'fails_for_others', ...subject, state, since: toIso(since), faulted, samples };
}

function toIso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

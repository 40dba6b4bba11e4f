import { describeDegraded, describeDown, describeHealthy, describeProbing, type HealthSubject } from './health-sentence.ts';
import {
  BUCKET_MS,
  bucketOf,
  faultShare,
  meanLatencyMs,
  type OutcomeBucket,
  type OutcomeCounts,
  samplesIn,
  sumSince,
  WINDOW_MS,
} from './health-window.ts';
import type { AccountHealth, HealthState } from './types.ts';

/** Where the lines are. Shares are 0 to 1 of provider faults among provider outcomes; times are milliseconds. */
export interface HealthThresholds {
  /** Fewest outcomes a share or a mean is read from. */
  readonly minSamples: number;
  readonly downShare: number;
  readonly degradedShare: number;
  /** A degraded account is healthy again at or under this share. */
  readonly healthyShare: number;
  /** Faults without a single success that mean down, even below the minimum sample. */
  readonly hardFaults: number;
  /** Mean latency of the last twenty seconds from which an account is degraded, and under which it recovers. */
  readonly slowMs: number;
  readonly fastMs: number;
  /** Rest before probing; doubled with each relapse up to the maximum. */
  readonly restMs: number;
  readonly restMaxMs: number;
  /** Steps of the share let through while probing, 0 to 100, rising. */
  readonly probePercents: readonly number[];
  /** A step takes at least this long, and its successes at least so many … */
  readonly probeStepMs: number;
  readonly probeSuccesses: number;
  /** … or, when too few payments come, this long without a fault. */
  readonly quietStepMs: number;
  /** Faults in one step that, as half of its outcomes or more, send the account back down. */
  readonly probeFaults: number;
  /** Least time healthy before degraded, and degraded before healthy. Down is never held up. */
  readonly healthyHoldMs: number;
  readonly degradedHoldMs: number;
}

export const DEFAULT_HEALTH_THRESHOLDS: HealthThresholds = {
  minSamples: 10,
  downShare: 0.5,
  degradedShare: 0.2,
  healthyShare: 0.1,
  hardFaults: 5,
  slowMs: 2_500,
  fastMs: 1_500,
  restMs: 30_000,
  restMaxMs: 240_000,
  probePercents: [10, 30, 60],
  probeStepMs: 10_000,
  probeSuccesses: 3,
  quietStepMs: 60_000,
  probeFaults: 2,
  healthyHoldMs: 30_000,
  degradedHoldMs: 60_000,
};

/** What the next assessment must be given of the last one. Plain data, safe to store. Times are epoch milliseconds. */
export interface HealthMemory {
  readonly state: HealthState;
  readonly since: number;
  /** One sentence with figures. */
  readonly why: string;
  /** Share let through while probing, 0 otherwise. */
  readonly probePercent: number;
  /** Outcomes before this moment are past and forgiven. */
  readonly countFrom: number;
  /** Relapses in a row; lengthens the rest. */
  readonly relapses: number;
}

export interface HealthAssessment extends HealthMemory {
  /** Provider outcomes in the window since `countFrom`. */
  readonly succeeded: number;
  readonly faulted: number;
  /** The state before, when this assessment moved it. */
  readonly movedFrom: HealthState | null;
}

export interface AssessHealthInput {
  readonly subject: HealthSubject;
  /** Of this account and method, any order, from all processes; those outside the window are ignored. */
  readonly buckets: readonly OutcomeBucket[];
  /** Null for an account never assessed, which begins healthy. */
  readonly previous: HealthMemory | null;
  readonly now: number;
  readonly thresholds?: HealthThresholds;
}

/**
 * Moves one account's health by what was seen: healthy → degraded → down → probing → healthy, and probing → down on relapse.
 *
 * Guarantees. Only provider outcomes move anything, never fewer than the minimum sample (or `hardFaults` without one success).
 * Going down is immediate; coming back takes a rest and every probing step, and happens by itself even without traffic. Any
 * thirty seconds see at most two changes, given the default thresholds. Process-independent: the same buckets and memory give
 * the same assessment.
 */
export function assessHealth(input: AssessHealthInput): HealthAssessment {
  const { now, buckets, subject, thresholds = DEFAULT_HEALTH_THRESHOLDS } = input;
  const previous = input.previous ?? beginning(now);
  const from = Math.max(now - WINDOW_MS, previous.countFrom);
  const evidence: Evidence = {
    window: sumSince(buckets, from),
    recent: sumSince(buckets, Math.max(bucketOf(now) - BUCKET_MS, from)),
    newest: sumSince(buckets, Math.max(bucketOf(now), from)),
    spanMs: Math.max(BUCKET_MS, now - from),
  };
  const context: Context = { previous, evidence, now, subject, thresholds };
  const memory = nextMemory(context);
  const { succeeded, faulted } = evidence.window;
  return { ...memory, succeeded, faulted, movedFrom: memory.state === previous.state ? null : previous.state };
}

/** The assessment as a decision takes it, with how the account's payments ended in the longer conversion window. */
export function accountHealthOf(
  assessment: HealthAssessment,
  account: Pick<AccountHealth, 'accountId' | 'method' | 'paid' | 'unpaid'>,
): AccountHealth {
  const { state, why, since, succeeded, faulted, probePercent } = assessment;
  const { accountId, method, paid, unpaid } = account;
  return { accountId, method, state, why, since: new Date(since).toISOString(), succeeded, faulted, probePercent, paid, unpaid };
}

interface Evidence {
  readonly window: OutcomeCounts;
  /** The last ten to twenty seconds. */
  readonly recent: OutcomeCounts;
  /** The bucket under way. */
  readonly newest: OutcomeCounts;
  readonly spanMs: number;
}

interface Context {
  readonly previous: HealthMemory;
  readonly evidence: Evidence;
  readonly now: number;
  readonly subject: HealthSubject;
  readonly thresholds: HealthThresholds;
}

function beginning(now: number): HealthMemory {
  return { state: 'healthy', since: now, why: '', probePercent: 0, countFrom: 0, relapses: 0 };
}

function nextMemory(context: Context): HealthMemory {
  const { state } = context.previous;
  switch (state) {
    case 'healthy':
      return fromHealthy(context);
    case 'degraded':
      return fromDegraded(context);
    case 'down':
      return fromDown(context);
    case 'probing':
      return fromProbing(context);
    default:
      return state satisfies never;
  }
}

function fromHealthy(context: Context): HealthMemory {
  const { previous, now, thresholds } = context;
  const held = now - previous.since;
  if (isDown(context)) return goDown(context, relapsesAfter(previous, held));
  if (held >= thresholds.healthyHoldMs && isDegraded(context)) return stayDegraded(context, now);
  return { ...previous, why: describeHealthy(context.subject, context.evidence.window, context.evidence.spanMs) };
}

/** An account that was restored less than a window ago has relapsed; one that never was down, or long ago, starts afresh. */
function relapsesAfter(previous: HealthMemory, held: number): number {
  return held >= WINDOW_MS || previous.countFrom === 0 ? 0 : previous.relapses + 1;
}

function fromDegraded(context: Context): HealthMemory {
  const { previous, now, thresholds, evidence } = context;
  if (isDown(context)) return goDown(context, previous.relapses);
  const held = now - previous.since;
  if (held >= thresholds.degradedHoldMs && isWell(context)) return beHealthy(context);
  // Moved back, the account may see no payments at all: what cannot be confirmed for a whole window is dropped.
  if (held >= WINDOW_MS && samplesIn(evidence.window) < thresholds.minSamples) return beHealthy(context);
  return isDegraded(context) ? stayDegraded(context, previous.since) : previous;
}

function fromDown(context: Context): HealthMemory {
  const { previous, now, thresholds, subject } = context;
  const rest = Math.min(thresholds.restMs * 2 ** previous.relapses, thresholds.restMaxMs);
  if (now - previous.since < rest) return previous;
  const probePercent = thresholds.probePercents[0] ?? 100;
  const why = describeProbing(subject, now, probePercent, NO_COUNTS);
  return { ...previous, state: 'probing', since: now, why, probePercent, countFrom: nextBucket(now) };
}

function fromProbing(context: Context): HealthMemory {
  const { previous, now, thresholds, subject, evidence } = context;
  const { succeeded, faulted } = evidence.window;
  if (faulted >= thresholds.probeFaults && faulted >= succeeded) return goDown(context, previous.relapses + 1);
  const elapsed = now - previous.countFrom;
  const proven = succeeded >= thresholds.probeSuccesses && faultShare(evidence.window) < thresholds.degradedShare;
  const stepDone = (elapsed >= thresholds.probeStepMs && proven) || (elapsed >= thresholds.quietStepMs && faulted === 0);
  if (!stepDone) return { ...previous, why: describeProbing(subject, previous.since, previous.probePercent, evidence.window) };
  const probePercent = thresholds.probePercents.find((percent) => percent > previous.probePercent);
  if (probePercent === undefined) return beHealthy(context);
  const why = describeProbing(subject, previous.since, probePercent, NO_COUNTS);
  return { ...previous, why, probePercent, countFrom: nextBucket(now) };
}

const NO_COUNTS: OutcomeCounts = { succeeded: 0, faulted: 0, latencyMsSum: 0 };

function isDown({ evidence: { window, recent, newest }, thresholds }: Context): boolean {
  if (window.succeeded === 0 && window.faulted >= thresholds.hardFaults) return true;
  return [window, recent, newest].some(
    (counts) => samplesIn(counts) >= thresholds.minSamples && faultShare(counts) >= thresholds.downShare,
  );
}

function isDegraded({ evidence: { window, recent }, thresholds }: Context): boolean {
  if (samplesIn(window) >= thresholds.minSamples && faultShare(window) >= thresholds.degradedShare) return true;
  return recent.succeeded >= thresholds.minSamples && meanLatencyMs(recent) >= thresholds.slowMs;
}

/** Enough seen, few faults, and fast: over the window, and lately too. */
function isWell({ evidence: { window, recent }, thresholds }: Context): boolean {
  return (
    samplesIn(window) >= thresholds.minSamples &&
    faultShare(window) <= thresholds.healthyShare &&
    faultShare(recent) <= thresholds.healthyShare &&
    meanLatencyMs(recent) <= thresholds.fastMs
  );
}

function goDown(context: Context, relapses: number): HealthMemory {
  const { previous, now, subject, evidence } = context;
  const why = describeDown(subject, now, evidence.window, evidence.spanMs, previous.state === 'probing');
  return { ...previous, state: 'down', since: now, why, probePercent: 0, relapses };
}

function stayDegraded(context: Context, since: number): HealthMemory {
  const { previous, subject, evidence, thresholds } = context;
  const slow = meanLatencyMs(evidence.recent) >= thresholds.slowMs ? meanLatencyMs(evidence.recent) : null;
  const why = describeDegraded(subject, since, evidence.window, evidence.spanMs, slow);
  return { ...previous, state: 'degraded', since, why };
}

function beHealthy(context: Context): HealthMemory {
  const { previous, now, subject, evidence } = context;
  const why = describeHealthy(subject, evidence.window, evidence.spanMs);
  return { ...previous, state: 'healthy', since: now, why, probePercent: 0, countFrom: nextBucket(now) };
}

/** The first bucket that holds nothing from before `now`. */
function nextBucket(now: number): number {
  return Math.ceil(now / BUCKET_MS) * BUCKET_MS;
}

import type { AccountHealth, HealthState, HealthSubject, StoredHealthReason } from '@switchyard/routing';
import { DEFAULT_HEALTH_THRESHOLDS, type HealthThresholds } from '../thresholds/thresholds.ts';
import { type Evidence, type FaultInRow, findDegraded, findDown, readEvidence, type Trigger } from './evidence.ts';
import { answeredSince, demotionReason, healthyReason, probingReason, recoveredReason } from './health-reasons.ts';
import { answersNeeded, judgeProbes, type ProbeVerdict, UNSEEN } from './judge-probes.ts';
import {
  faultShare,
  type LookupCounts,
  meanLatencyMs,
  nextBucketOf,
  type OutcomeBucket,
  type OutcomeCounts,
  samplesIn,
  sharedFaultsIn,
} from './outcome-counts.ts';
import { fastUntilMs, slowFromMs } from './usual-latency.ts';

/** Why an account was demoted, with the figures. */
export interface Demotion {
  readonly to: 'degraded' | 'down';
  readonly cause: 'faults' | 'slow' | 'lookups';
  /** Openings it is based on; 0 when it is based on look-ups. */
  readonly succeeded: number;
  readonly faulted: number;
  /** Faults among them that affect all merchants. */
  readonly sharedFaults: number;
}

/** State that an assessment passes to the next one. Plain data, safe to store. Times are epoch milliseconds. */
export interface HealthMemory {
  readonly state: HealthState;
  readonly since: number;
  /** The facts behind the state; a sentence where an earlier version stored it. */
  readonly why: StoredHealthReason;
  /** Outcomes before this moment no longer count. */
  readonly countFrom: number;
  /** Relapses in a row; lengthens the rest. */
  readonly relapses: number;
  /** The latest one; null for an account that was never demoted. */
  readonly demotion: Demotion | null;
}

/** The health of an account for one method, with the evidence it was computed from. */
export interface HealthAssessment extends HealthMemory {
  /** Openings behind the state: of a healthy account those of the window, otherwise those that demoted it and those since. */
  readonly succeeded: number;
  readonly faulted: number;
  /** Probe payments that must still be answered before it is healthy; 0 unless it is probing. */
  readonly probesLeft: number;
  /** Look-ups and idle probes in the window. */
  readonly lookups: LookupCounts;
  /** The state before, when this assessment moved it. */
  readonly movedFrom: HealthState | null;
}

/** Everything an assessment depends on; the same input gives the same state. Times are epoch milliseconds. */
export interface AssessHealthInput {
  readonly subject: HealthSubject;
  /** Of this account and method, any order, from all processes; those outside the window are ignored. */
  readonly buckets: readonly OutcomeBucket[];
  /** Of the account as a whole, whose look-ups and probes these are; the same as `buckets` where they are left out. */
  readonly wholeBuckets?: readonly OutcomeBucket[];
  /** This process's latest consecutive failed openings, oldest first. */
  readonly run?: readonly FaultInRow[];
  /** Null for an account never assessed, which begins healthy. */
  readonly previous: HealthMemory | null;
  /** How long an opening usually takes at the account; null where that is not known. */
  readonly usualMs?: number | null;
  readonly now: number;
  readonly thresholds?: HealthThresholds;
}

/** Free calls of this long before the first demotion saw the same fault. */
const ONSET_MS = 30_000;

/**
 * Computes one account's next health: healthy → degraded or down → probing → healthy, and probing → back on relapse.
 *
 * Guarantees. Openings of checkouts decide; look-ups only demote an account that opened nothing in the whole window, and only
 * promote one that they demoted. Demotion is immediate. Recovery takes a rest, which doubles with each relapse, and then openings
 * that succeed: time alone promotes nothing. So the number of changes within an hour is bounded.
 *
 * Look-ups that fail as the checkouts did lengthen the rest, up to the longest one: no customer's payment finds out what a free call knows.
 * Look-ups that failed and are answered again say so in the reason of a probing account; its next checkouts still have to prove it.
 */
export function assessHealth(input: AssessHealthInput): HealthAssessment {
  const { now, buckets, subject, run = [], usualMs = null, thresholds = DEFAULT_HEALTH_THRESHOLDS } = input;
  const previous = input.previous ?? beginning(now);
  const evidence = readEvidence(buckets, run, previous.countFrom, now);
  const probes = verdictOf(previous, input.wholeBuckets ?? buckets, now, thresholds);
  const memory = nextMemory({ previous, evidence, probes, now, subject, usualMs, thresholds });
  const { lookups = { answered: 0, failed: 0 } } = evidence.window.counts;
  const moved = memory.state !== previous.state;
  const openings = openingsOf(memory, evidence.window.counts, moved);
  const probesLeft = memory.state === 'probing' ? Math.max(0, probesNeeded(memory.demotion, thresholds) - openings.succeeded) : 0;
  return { ...memory, ...openings, probesLeft, lookups, movedFrom: moved ? previous.state : null };
}

/** The assessment in routing's form, with the account's conversion in the longer conversion window. */
export function accountHealthOf(
  { state, why, since, succeeded, faulted }: HealthAssessment,
  { accountId, method, paid, unpaid }: Pick<AccountHealth, 'accountId' | 'method' | 'paid' | 'unpaid'>,
): AccountHealth {
  return {
    accountId,
    method,
    state,
    why,
    since: new Date(since).toISOString(),
    succeeded,
    faulted,
    probePercent: 0,
    paid,
    unpaid,
  };
}

interface Context {
  readonly previous: HealthMemory;
  readonly evidence: Evidence;
  readonly probes: ProbeVerdict;
  readonly now: number;
  readonly subject: HealthSubject;
  readonly usualMs: number | null;
  readonly thresholds: HealthThresholds;
}

/** Before a first demotion look-ups already met its fault; before a relapse they may have been answered. */
function verdictOf(
  { state, since, countFrom, relapses }: HealthMemory,
  buckets: readonly OutcomeBucket[],
  now: number,
  thresholds: HealthThresholds,
): ProbeVerdict {
  if (state === 'healthy') return UNSEEN;
  return judgeProbes(buckets, relapses === 0 ? since - ONSET_MS : countFrom, now, thresholds);
}

function beginning(now: number): HealthMemory {
  return { state: 'healthy', since: now, why: { code: 'unused' }, countFrom: 0, relapses: 0, demotion: null };
}

/** While an account rests, the openings that demoted it count too, because later ones are few. */
function openingsOf(
  { state, demotion }: HealthMemory,
  counted: OutcomeCounts,
  moved: boolean,
): Pick<HealthAssessment, 'succeeded' | 'faulted'> {
  if (moved && state === 'probing') return { succeeded: 0, faulted: 0 };
  const isResting = state === 'degraded' || state === 'down';
  if (!isResting || demotion === null) return { succeeded: counted.succeeded, faulted: counted.faulted };
  if (moved) return { succeeded: demotion.succeeded, faulted: demotion.faulted };
  return { succeeded: demotion.succeeded + counted.succeeded, faulted: demotion.faulted + counted.faulted };
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
  const { previous, evidence, now, subject, usualMs, thresholds } = context;
  const relapses = relapsesAfter(previous, now, thresholds);
  const down = findDown(evidence, now, thresholds);
  if (down !== null) return demote(context, 'down', down, relapses);
  const degraded = findDegraded(evidence, usualMs, thresholds);
  if (degraded !== null && now - previous.since >= thresholds.healthyHoldMs)
    return demote(context, 'degraded', degraded, relapses);
  return { ...previous, why: healthyReason(subject, evidence.window, thresholds) };
}

/** An account that was healthy for as long as the longest rest starts at zero; one that was not has relapsed. */
function relapsesAfter({ demotion, since, relapses }: HealthMemory, now: number, { restMaxMs }: HealthThresholds): number {
  return demotion === null || now - since >= restMaxMs ? 0 : relapses + 1;
}

function fromDegraded(context: Context): HealthMemory {
  const { previous, evidence, now, thresholds } = context;
  const down = findDown(evidence, now, thresholds);
  // After a failed probe payment the account stays degraded for a while: the few openings since are too little evidence.
  const settled = previous.relapses === 0 || now - previous.since >= thresholds.healthyHoldMs;
  // The same failure got worse, which is no relapse.
  if (settled && down?.cause === 'faults') return demote(context, 'down', down, previous.relapses);
  return hasRested(context) ? endRest(context) : previous;
}

function fromDown(context: Context): HealthMemory {
  return hasRested(context) ? endRest(context) : context.previous;
}

function hasRested({ previous, probes, now, thresholds }: Context): boolean {
  const rest = Math.min(thresholds.restMs * 2 ** previous.relapses, thresholds.restMaxMs);
  return now - previous.since >= (probes.kind === 'failing' ? thresholds.restMaxMs : rest);
}

/** Look-ups promote at once what they demoted, as long as no checkout says otherwise. */
function endRest(context: Context): HealthMemory {
  const { previous, probes, evidence } = context;
  const isProven = probes.kind === 'answered' && previous.demotion?.cause === 'lookups' && evidence.idle;
  return isProven ? recover(context, probes.answered) : probe(context);
}

function probe(context: Context): HealthMemory {
  const { previous, now, thresholds } = context;
  const why = probing(context, now, 0, probesNeeded(previous.demotion, thresholds));
  return { ...previous, state: 'probing', since: now, why, countFrom: nextBucketOf(now) };
}

/** The reason of a probing account. Once look-ups were answered again it says so until they fail again. */
function probing({ previous, probes, subject }: Context, since: number, answered: number, needed: number): StoredHealthReason {
  const before = probes.kind === 'unseen' ? answeredSince(previous.why) : null;
  const sees = previous.demotion?.cause === 'faults';
  const lookupsSince = probes.kind === 'answered' ? probes.since : before;
  return probingReason(subject, { since, answered, needed, lookupsSince: sees ? lookupsSince : null });
}

function fromProbing(context: Context): HealthMemory {
  const { previous, evidence, probes, now, usualMs, thresholds } = context;
  const { demotion } = previous;
  const { counts } = evidence.window;
  const to = demotion?.to ?? 'down';
  const relapses = relapsesFrom(context);
  const needed = probesNeeded(demotion, thresholds);
  if (evidence.idle && demotion?.cause === 'lookups') return fromProbingByLookups(context);
  const mean = meanLatencyMs(counts);
  const isTooEarly = now - previous.since < thresholds.probeForMs;
  const fast = demotion?.cause === 'slow' ? fastUntilMs(usualMs, thresholds) : slowFromMs(usualMs, thresholds);
  const proven = samplesIn(counts) >= needed && faultShare(counts) <= thresholds.healthyShare;
  if (counts.faulted > 0 && !proven) return demote(context, to, { ...evidence.window, cause: 'faults' }, relapses);
  if (mean >= slowFromMs(usualMs, thresholds) || (proven && mean > fast))
    return demote(context, to, { ...evidence.window, cause: 'slow' }, relapses);
  if (proven && !isTooEarly) return recover(context, counts.succeeded);
  if (samplesIn(counts) === 0 && probes.kind === 'failing' && !isTooEarly && demotion?.cause === 'faults')
    return fallBack(context, demotion);
  return { ...previous, why: probing(context, previous.since, counts.succeeded, needed) };
}

/** No checkout was opened while it was probed, and look-ups fail: it rests again, and checkouts still have to prove it. */
function fallBack(context: Context, demotion: Demotion): HealthMemory {
  const trigger = { ...context.evidence.window, cause: 'lookups' } as const;
  return { ...demote(context, demotion.to, trigger, context.previous.relapses), demotion };
}

/** No checkout was opened since, so look-ups may promote what they demoted. */
function fromProbingByLookups(context: Context): HealthMemory {
  const { evidence, previous, probes } = context;
  const { answered, failed } = evidence.window.counts.lookups ?? { answered: 0, failed: 0 };
  const share = failed / Math.max(1, answered + failed);
  const isTooEarly = context.now - previous.since < context.thresholds.probeForMs;
  const { probePayments, healthyShare, downShare } = context.thresholds;
  const proven = probes.kind === 'answered' || (answered >= probePayments && share <= healthyShare);
  if (proven && !isTooEarly) return recover(context, answered);
  if (failed >= probePayments && share >= downShare)
    return demote(context, 'down', { ...evidence.window, cause: 'lookups' }, relapsesFrom(context));
  return previous;
}

/** An outage that look-ups see go on is the same one, not a relapse. */
function relapsesFrom({ previous, probes }: Context): number {
  return previous.relapses + (probes.kind === 'failing' ? 0 : 1);
}

/** Number of successful openings in a row that an account failing as often as it did would hardly reach. */
function probesNeeded(demotion: Demotion | null, { probePayments }: HealthThresholds): number {
  if (demotion === null || demotion.cause !== 'faults') return probePayments;
  return answersNeeded(faultShare(demotion), probePayments);
}

function demote(context: Context, to: Demotion['to'], trigger: Trigger, relapses: number): HealthMemory {
  const { previous, now, subject, usualMs } = context;
  const { cause, counts } = trigger;
  const again = previous.state === 'probing';
  const { succeeded, faulted } = cause === 'lookups' ? { succeeded: 0, faulted: 0 } : counts;
  return {
    state: to,
    since: now,
    why: demotionReason(subject, { state: to, since: now, trigger, again, usualMs }),
    countFrom: nextBucketOf(now),
    relapses,
    // One failed probe payment shows less of how often the account fails than its first demotion.
    demotion:
      again && previous.demotion !== null && cause === previous.demotion.cause
        ? previous.demotion
        : { to, cause, succeeded, faulted, sharedFaults: sharedFaultsIn(counts) },
  };
}

function recover({ previous, now, subject }: Context, answered: number): HealthMemory {
  const why = recoveredReason(subject, now, answered, previous.demotion?.cause === 'lookups' ? 'lookups' : 'probe_payments');
  return { ...previous, state: 'healthy', since: now, why, countFrom: nextBucketOf(now) };
}

import type { AccountHealth, HealthState, HealthSubject, StoredHealthReason } from '@switchyard/routing';
import { DEFAULT_HEALTH_THRESHOLDS, type HealthThresholds } from '../thresholds/thresholds.ts';
import {
  type Evidence,
  type FaultInRow,
  findDegraded,
  findLookupOutage,
  findOutage,
  readEvidence,
  type Trigger,
} from './evidence.ts';
import {
  answeredSince,
  type Demotion,
  demotionReason,
  healthyReason,
  isByOthers,
  priorReason,
  probingReason,
  recoveredReason,
} from './health-reasons.ts';
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
import { type GatewayTrouble, hasOpenedSince } from './prior.ts';
import { fastUntilMs, slowFromMs } from './usual-latency.ts';

/** State that an assessment passes to the next one. Plain data, safe to store. Times are epoch milliseconds. */
export interface HealthMemory {
  readonly state: HealthState;
  readonly since: number;
  /** The facts behind the state. */
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
  /** The state before, when this assessment moved it, or found evidence of its own for what only others had seen. */
  readonly movedFrom: HealthState | null;
}

/** Everything an assessment depends on; the same input gives the same state. Times are epoch milliseconds. */
export interface AssessHealthInput {
  readonly subject: HealthSubject;
  /** Counts of this account and method, in any order, from all processes; those outside the window are ignored. */
  readonly buckets: readonly OutcomeBucket[];
  /** Counts of the account as a whole, whose look-ups and probes these are; the same as `buckets` where they are left out. */
  readonly wholeBuckets?: readonly OutcomeBucket[];
  /** This process's latest consecutive failed openings, oldest first. */
  readonly run?: readonly FaultInRow[];
  /** Null for an account never assessed, which begins healthy. */
  readonly previous: HealthMemory | null;
  /** Trouble of the gateway that accounts of other merchants see; null where they see none. */
  readonly others?: GatewayTrouble | null;
  /** True if an override keeps all new payments away: that it opens none says nothing. */
  readonly isDrained?: boolean;
  /** How long an opening usually takes at the account; null where that is not known. */
  readonly usualMs?: number | null;
  readonly now: number;
  readonly thresholds?: HealthThresholds;
}

/** Free calls of this long before the first demotion met the same fault. */
const ONSET_MS = 30_000;

/**
 * Computes one account's next health: healthy → degraded or down → probing → healthy, and probing → back on relapse.
 *
 * Guarantees. Openings of checkouts decide. Look-ups only demote an account that takes payments, opened none in the whole window, and whose
 * look-ups fail now; they only promote one that they demoted. Trouble that other merchants see demotes an account without a success of its
 * own since, and ends with theirs. What was before a recovery never counts after it. Demotion is immediate. Recovery takes a rest, which
 * doubles with each relapse, and then openings that succeed: time alone promotes nothing. So the number of changes within an hour is bounded.
 *
 * Look-ups that fail as the checkouts did lengthen the rest, up to the longest one: no customer's payment finds out what a free call knows.
 * Look-ups that failed and are answered again say so in the reason of a probing account; its next checkouts still have to prove it.
 */
export function assessHealth(input: AssessHealthInput): HealthAssessment {
  const { now, buckets, subject, run = [], usualMs = null, thresholds = DEFAULT_HEALTH_THRESHOLDS } = input;
  const { others = null, isDrained = false } = input;
  const previous = input.previous ?? beginning(now);
  const evidence = readEvidence(buckets, run, previous.countFrom, now);
  const probes = verdictOf(previous, input.wholeBuckets ?? buckets, now, thresholds);
  const trouble = others !== null && hasOpenedSince(buckets, others.since, now) ? null : others;
  const memory = nextMemory({ previous, evidence, probes, now, subject, usualMs, thresholds, trouble, isDrained });
  const { lookups = { answered: 0, failed: 0 } } = evidence.window.counts;
  const moved = memory.state !== previous.state || isByOthers(memory) !== isByOthers(previous);
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
  readonly trouble: GatewayTrouble | null;
  readonly isDrained: boolean;
}

/** Before a first demotion look-ups already met its fault; before a relapse they may have been answered. */
function verdictOf(
  { state, relapses, demotion }: HealthMemory,
  buckets: readonly OutcomeBucket[],
  now: number,
  thresholds: HealthThresholds,
): ProbeVerdict {
  if (state === 'healthy' || demotion === null) return UNSEEN;
  return judgeProbes(buckets, relapses === 0 ? demotion.at - ONSET_MS : nextBucketOf(demotion.at), now, thresholds);
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
  const { previous, evidence, now, subject, usualMs, thresholds, isDrained } = context;
  const relapses = relapsesAfter(previous, now, thresholds);
  const down = findOutage(evidence, now, thresholds) ?? (isDrained ? null : findLookupOutage(evidence, thresholds));
  if (down !== null) return demote(context, 'down', down, relapses);
  const degraded = findDegraded(evidence, usualMs, thresholds);
  if (degraded !== null && now - previous.since >= thresholds.healthyHoldMs)
    return demote(context, 'degraded', degraded, relapses);
  return demoteByOthers(context) ?? { ...previous, why: healthyReason(subject, evidence.window, thresholds) };
}

/** An account that was healthy for as long as the longest rest starts at zero; one that was not, by evidence of its own, has relapsed. */
function relapsesAfter({ demotion, since, relapses }: HealthMemory, now: number, { restMaxMs }: HealthThresholds): number {
  if (demotion === null || now - since >= restMaxMs) return 0;
  return demotion.cause === 'others' ? relapses : relapses + 1;
}

/** The demotion of a healthy account by what others see: once, and not by what they saw before its latest recovery. Null for none. */
function demoteByOthers({ previous, trouble, now, subject }: Context): HealthMemory | null {
  if (trouble === null) return null;
  if (previous.demotion !== null && (trouble.latest ?? 0) <= previous.since) return null;
  const { state } = trouble;
  const demotion = { to: state, cause: 'others', at: now, succeeded: 0, faulted: 0, sharedFaults: 0 } as const;
  // Its own openings so far go on counting: they may prove the fault here too.
  return { ...previous, state, since: now, why: priorReason(subject, trouble), demotion };
}

function fromDegraded(context: Context): HealthMemory {
  const { previous, evidence, now, thresholds } = context;
  if (isByOthers(previous)) return fromOthers(context);
  const down = findOutage(evidence, now, thresholds);
  // After a failed probe payment the account stays degraded for a while: the few openings since are too little evidence.
  const settled = previous.relapses === 0 || now - previous.since >= thresholds.healthyHoldMs;
  // The same failure got worse, which is not a relapse.
  if (settled && down !== null) return demote(context, 'down', down, previous.relapses);
  return hasRested(context) ? endRest(context) : previous;
}

function fromDown(context: Context): HealthMemory {
  if (isByOthers(context.previous)) return fromOthers(context);
  return hasRested(context) ? endRest(context) : context.previous;
}

/** Others' trouble lasts as long as theirs, unless openings of its own prove it here too, or succeed. It needs no probe payments. */
function fromOthers(context: Context): HealthMemory {
  const { previous, evidence, trouble, now, thresholds, usualMs, subject } = context;
  const down = findOutage(evidence, now, thresholds);
  if (down !== null) return demote(context, 'down', down, previous.relapses);
  const degraded = previous.state === 'degraded' ? findDegraded(evidence, usualMs, thresholds) : null;
  if (degraded !== null) return demote(context, 'degraded', degraded, previous.relapses);
  if (trouble === null) return recover(context, evidence.window.counts.succeeded);
  if (trouble.state === previous.state) return previous;
  const demotion = previous.demotion === null ? null : { ...previous.demotion, to: trouble.state };
  return { ...previous, state: trouble.state, since: now, why: priorReason(subject, trouble), demotion };
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
  const { now, thresholds } = context;
  const previous = { ...context.previous, demotion: demotionSince(context) };
  const why = probing({ ...context, previous }, now, 0, probesNeeded(previous.demotion, thresholds));
  return { ...previous, state: 'probing', since: now, why, countFrom: nextBucketOf(now) };
}

/** The demotion by look-ups is one by checkouts once those failed: then only checkouts prove its end. */
function demotionSince({ previous: { demotion }, evidence: { window } }: Context): Demotion | null {
  if (demotion?.cause !== 'lookups' || window.counts.faulted === 0) return demotion;
  const { succeeded, faulted } = window.counts;
  return { ...demotion, cause: 'faults', succeeded, faulted, sharedFaults: sharedFaultsIn(window.counts) };
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
  const goesOn = probes.kind === 'failing' && evidence.lookupsFail;
  if (samplesIn(counts) === 0 && goesOn && !isTooEarly && demotion?.cause === 'faults') return fallBack(context, demotion);
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
  if (evidence.lookupsFail && failed >= probePayments && share >= downShare)
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
        ? { ...previous.demotion, at: now }
        : { to, cause, at: now, succeeded, faulted, sharedFaults: sharedFaultsIn(counts) },
  };
}

/** Whatever came before a recovery no longer counts. */
function recover({ previous, now, subject }: Context, answered: number): HealthMemory {
  const why = recoveredReason(subject, now, answered, proofOf(previous.demotion, answered));
  return { ...previous, state: 'healthy', since: now, why, countFrom: nextBucketOf(now) };
}

function proofOf(demotion: Demotion | null, answered: number): 'probe_payments' | 'lookups' | 'others' {
  if (demotion?.cause === 'lookups') return 'lookups';
  return demotion?.cause === 'others' && answered === 0 ? 'others' : 'probe_payments';
}

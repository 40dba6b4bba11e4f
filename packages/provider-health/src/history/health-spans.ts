import { type HealthState, isSeenByOthersOnly, type StoredHealthReason } from '@switchyard/routing';

/** A period in which an account was in one state. */
export interface HealthSpan {
  readonly state: HealthState;
  readonly from: Date;
  /** Null while it lasts. */
  readonly to: Date | null;
  /** Why it began, on the account's own evidence or on that of others; empty for the state before all changes. */
  readonly why: StoredHealthReason;
}

/** A period from leaving healthy to being healthy again, including relapses while probing. */
export interface Outage {
  /** Its worst state. */
  readonly worst: 'degraded' | 'down';
  readonly from: Date;
  /** Null while it lasts. */
  readonly to: Date | null;
  /** Why it was in its worst state. */
  readonly why: StoredHealthReason;
}

/** A moment at which a state was entered or, the same state twice, confirmed. */
export interface StateChange {
  readonly state: HealthState;
  readonly why: StoredHealthReason;
  readonly at: Date;
}

/**
 * The states of one account and method since `from`, without gaps: healthy until the first change, unless a change before `from`
 * set another state. Changes may be in any order.
 */
export function toSpans(changes: readonly StateChange[], from: Date): readonly HealthSpan[] {
  // The last of several changes at one moment counts; changes before `from` give the state at `from`.
  const entered = new Map<number, Pick<StateChange, 'state' | 'why'>>([[from.getTime(), { state: 'healthy', why: null }]]);
  for (const { state, why, at } of changes.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    entered.set(Math.max(at.getTime(), from.getTime()), { state, why });
  }
  const moves = [...entered].filter(([, entry], index, all) => !isSame(entry, all[index - 1]?.[1]));
  return moves.map(([begun, { state, why }], index) => {
    const next = moves[index + 1];
    return { state, why, from: new Date(begun), to: next === undefined ? null : new Date(next[0]) };
  });
}

/** True for the same state by the same kind of evidence: the account's own, or that of others. */
function isSame(next: Pick<StateChange, 'state' | 'why'>, before: Pick<StateChange, 'state' | 'why'> | undefined): boolean {
  return next.state === before?.state && isSeenByOthersOnly(next.why) === isSeenByOthersOnly(before.why);
}

const WORSE: Readonly<Record<HealthState, number>> = { healthy: 0, probing: 1, degraded: 2, down: 3 };

/** The outages among spans, latest first. Probing without an earlier state is the end of an outage and counts as down. */
export function toOutages(spans: readonly HealthSpan[]): readonly Outage[] {
  const outages: Outage[] = [];
  let open: HealthSpan[] = [];
  const close = (to: Date | null) => {
    const [first] = open;
    if (first === undefined) return;
    const worst = open.reduce((bad, span) => (isWorse(span, bad) ? span : bad));
    outages.push({ worst: worst.state === 'degraded' ? 'degraded' : 'down', from: first.from, to, why: worst.why });
    open = [];
  };
  for (const span of spans) {
    if (span.state === 'healthy') close(span.from);
    else open.push(span);
  }
  close(null);
  return outages.reverse();
}

/** True if a span is worse than another; if both are equally bad, the one by the account's own evidence is, as it says more. */
function isWorse(span: HealthSpan, than: HealthSpan): boolean {
  if (span.state !== than.state) return WORSE[span.state] > WORSE[than.state];
  return isSeenByOthersOnly(than.why) && !isSeenByOthersOnly(span.why);
}

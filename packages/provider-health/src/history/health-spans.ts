import type { HealthState } from '@switchyard/routing';

/** A time in which an account was in one state. */
export interface HealthSpan {
  readonly state: HealthState;
  readonly from: Date;
  /** Null while it lasts. */
  readonly to: Date | null;
  /** The sentence it began with. */
  readonly why: string;
}

/** A time in trouble, from leaving healthy to being healthy again, relapses while coming back included. */
export interface Outage {
  /** The worst it came to. */
  readonly worst: 'degraded' | 'down';
  readonly from: Date;
  /** Null while it lasts. */
  readonly to: Date | null;
  /** The sentence of its worst state. */
  readonly why: string;
}

/** A moment at which a state was entered or, the same state twice, confirmed. */
export interface StateChange {
  readonly state: HealthState;
  readonly why: string;
  readonly at: Date;
}

/**
 * The states of one account and method from `from` on, without a gap: healthy until the first change, unless one before `from`
 * says otherwise. Changes may come in any order.
 */
export function toSpans(changes: readonly StateChange[], from: Date): readonly HealthSpan[] {
  // Of changes at one moment the last one stands; those before `from` come to what it was at `from`.
  const entered = new Map<number, Pick<StateChange, 'state' | 'why'>>([[from.getTime(), { state: 'healthy', why: '' }]]);
  for (const { state, why, at } of changes.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    entered.set(Math.max(at.getTime(), from.getTime()), { state, why });
  }
  const moves = [...entered].filter(([, { state }], index, all) => state !== all[index - 1]?.[1].state);
  return moves.map(([begun, { state, why }], index) => {
    const next = moves[index + 1];
    return { state, why, from: new Date(begun), to: next === undefined ? null : new Date(next[0]) };
  });
}

const WORSE: Readonly<Record<HealthState, number>> = { healthy: 0, probing: 1, degraded: 2, down: 3 };

/** The times in trouble among spans, latest first. Probing alone is the end of a trouble that began earlier, and counts as down. */
export function toOutages(spans: readonly HealthSpan[]): readonly Outage[] {
  const outages: Outage[] = [];
  let open: HealthSpan[] = [];
  const close = (to: Date | null) => {
    const [first] = open;
    if (first === undefined) return;
    const worst = open.reduce((bad, span) => (WORSE[span.state] > WORSE[bad.state] ? span : bad));
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

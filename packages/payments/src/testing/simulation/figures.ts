import { GATEWAYS } from './faults.ts';
import type { Simulated } from './simulate.ts';

/** The effects of a fault on customers. Times are milliseconds. */
export interface Figures {
  /** From the start of the fault. */
  readonly payments: number;
  /** Customers whose payment failed by a gateway, or who waited much longer than usual. */
  readonly hit: number;
  /** Longest wait above the usual. */
  readonly longestAddedMs: number;
  /** Mean wait above the usual, of all payments under the fault. */
  readonly meanAddedMs: number;
  readonly failed: number;
  readonly changes: number;
  /** Most changes within an hour, of one account. */
  readonly changesPerHour: number;
  /** How often the leading account lost or regained its position. */
  readonly turns: number;
  /** From the repair until the leading account stays healthy; null when it was not at the end. */
  readonly recoveryMs: number | null;
}

/** A customer notices a longer wait from this much on. */
const NOTICED_MS = 1_000;
const HOUR_MS = 3_600_000;

export function figuresOf({ served, changes, faultAtMs, repairedAtMs }: Simulated): Figures {
  const usualMs = quantile(
    served.filter(({ atMs }) => atMs < faultAtMs).map(({ waitedMs }) => waitedMs),
    0.5,
  );
  const after = served.filter(({ atMs }) => atMs >= faultAtMs);
  const added = after.filter(({ atMs }) => atMs < repairedAtMs).map(({ waitedMs }) => Math.max(0, waitedMs - usualMs));
  const isHit = ({ failedTries, waitedMs }: (typeof after)[number]) => failedTries > 0 || waitedMs - usualMs > NOTICED_MS;
  const own = changes.filter(({ atMs }) => atMs >= faultAtMs);
  return {
    payments: after.length,
    hit: after.filter(isHit).length,
    longestAddedMs: added.reduce((longest, ms) => Math.max(longest, ms), 0),
    meanAddedMs: added.reduce((sum, ms) => sum + ms, 0) / Math.max(1, added.length),
    failed: after.filter(({ status }) => status === 'FAILED').length,
    changes: own.length,
    changesPerHour: Math.max(0, ...own.map(({ gateway, atMs }) => within(own, gateway, atMs))),
    turns: own.filter(({ gateway, from, to }) => gateway === GATEWAYS[0] && (from === 'healthy' || to === 'healthy')).length,
    recoveryMs: recoveryOf(changes, repairedAtMs),
  };
}

function within(changes: Simulated['changes'], gateway: string, from: number): number {
  return changes.filter((one) => one.gateway === gateway && one.atMs >= from && one.atMs < from + HOUR_MS).length;
}

function recoveryOf(changes: Simulated['changes'], repairedAtMs: number): number | null {
  const last = changes.findLast(({ gateway }) => gateway === GATEWAYS[0]);
  if (last === undefined) return 0;
  return last.to === 'healthy' ? Math.max(0, last.atMs - repairedAtMs) : null;
}

/** The value that this share of all values does not exceed; 0 when there are none. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

import type { AccountHealth } from '@switchyard/routing';
import type { HealthThresholds } from '../thresholds/thresholds.ts';
import type { FaultInRow } from './evidence.ts';
import { WINDOW_MS } from './outcome-counts.ts';

/** Openings that this process waits for at an account, and failures there without a success since; times in epoch milliseconds. */
export interface Waiting {
  /** When the openings began that go unanswered for longer than usual, oldest first. */
  readonly overdue: readonly number[];
  /** Oldest first. */
  readonly failed: readonly FaultInRow[];
}

/** Few of them keep others waiting only when they span some time. */
const WAITING_MS = 1_000;

/**
 * Health for a decision of an account that keeps openings waiting: behind others, with the openings that got no response as the reason.
 * Unchanged where they are few. It is no state of the account: nothing is stored, and the first opening that succeeds ends it.
 */
export function behindOthers(
  health: AccountHealth,
  { overdue, failed: allFailed }: Waiting,
  { minSamples, hardFaults }: Pick<HealthThresholds, 'minSamples' | 'hardFaults'>,
  { gateway, now }: { readonly gateway: string; readonly now: number },
): AccountHealth {
  if (overdue.length === 0) return health;
  const from = Math.max(Date.parse(health.since), now - WINDOW_MS);
  const failed = allFailed.filter(({ at }) => at >= from);
  const count = overdue.length + failed.length;
  if (count < hardFaults) return health;
  const since = Math.min(overdue[0] ?? now, failed[0]?.at ?? now);
  if (count < Math.max(minSamples, hardFaults) && now - since < WAITING_MS) return health;
  const timedOut = overdue.length + failed.filter(({ kind }) => kind === 'timed_out').length;
  const main = timedOut * 2 > count ? ({ kind: 'timed_out', count: timedOut } as const) : null;
  const figures = { faulted: count, samples: count, spanMs: Math.max(1_000, now - since), main, unanswered: true } as const;
  const demoted = { state: 'degraded', since: new Date(now).toISOString(), again: false } as const;
  const why = { code: 'faults', gateway, method: health.method, ...demoted, ...figures } as const;
  return { ...health, state: 'degraded', since: demoted.since, why };
}

import type { HealthCounts } from '@switchyard/db';
import type { Outcome } from '@switchyard/gateways';
import { bucketOf } from '@switchyard/routing';
import { classifyOutcome } from '../classify-outcome.ts';
import { ANY_METHOD, countInto, emptyCounts, type PendingCounts, seriesKey } from './health-series.ts';

/** Where something was seen. `method` null where the payment named none. */
export interface Where {
  readonly merchantId: string;
  readonly accountId: string;
  readonly method: string | null;
}

/** What this process saw and has not yet shared with the others. */
export interface HealthLedger {
  observeOpening(where: Where, outcome: Outcome<unknown>): void;
  observeLookup(where: Where, outcome: Outcome<unknown>): void;
  observeEnd(where: Where, end: 'paid' | 'unpaid'): void;
  /** Takes everything out: each account, method and stretch once. */
  drain(): HealthCounts[];
}

/** Most accounts and methods held between two drains; beyond it, new ones are not counted. */
const PENDING_MAX = 10_000;

export function createHealthLedger(now: () => Date): HealthLedger {
  const pending = new Map<string, PendingCounts>();

  function at({ merchantId, accountId }: Omit<Where, 'method'>, method: string): PendingCounts {
    const bucketAt = new Date(bucketOf(now().getTime()));
    const key = `${seriesKey(accountId, method)}|${bucketAt.getTime()}`;
    const counts = pending.get(key) ?? emptyCounts(merchantId, accountId, method, bucketAt);
    if (pending.size < PENDING_MAX) pending.set(key, counts);
    return counts;
  }

  function add(where: Omit<Where, 'method'>, methods: readonly string[], outcome: Outcome<unknown>): void {
    const seen = classifyOutcome(outcome);
    for (const method of methods) countInto(at(where, method), seen.outcome, seen.kind, outcome.call.latencyMs);
  }

  return {
    observeOpening: (where, outcome) => add(where, methodsOf(where), outcome),
    observeLookup: (where, outcome) => add(where, methodsOf(where), outcome),
    observeEnd(where, end) {
      for (const method of methodsOf(where)) at(where, method)[end] += 1;
    },
    drain() {
      const rows = [...pending.values()];
      pending.clear();
      return rows;
    },
  };
}

/** Everything counts for the account as a whole too. */
function methodsOf({ method }: Where): string[] {
  return method === null ? [ANY_METHOD] : [ANY_METHOD, method];
}

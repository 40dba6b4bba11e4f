import type { Outcome } from '@switchyard/gateways';
import type { FaultInRow } from '../assess/evidence.ts';
import { bucketOf } from '../assess/outcome-counts.ts';
import { classifyOutcome } from './classify-outcome.ts';
import {
  ANY_METHOD,
  countLookup,
  countOpening,
  emptyCounts,
  type PendingCounts,
  type SeriesKey,
  seriesKey,
} from './health-series.ts';
import type { HealthCounts } from './queries.ts';

/** Where something was seen. `method` null where the payment named none. */
export interface Where {
  readonly merchantId: string;
  readonly accountId: string;
  readonly method: string | null;
}

/** What this process saw: what it has not yet shared with the others, and which accounts fail in a row. */
export interface HealthLedger {
  observeOpening(where: Where, outcome: Outcome<unknown>): void;
  /** A look-up says how an account is, and nothing of the payment's method. */
  observeLookup(where: Where, outcome: Outcome<unknown>): void;
  observeEnd(where: Where, end: 'paid' | 'unpaid'): void;
  /** The latest openings, when all of them failed; oldest first. */
  run(accountId: string, method: string): readonly FaultInRow[];
  /** Takes all counts out: each account, method and stretch once. */
  drain(): HealthCounts[];
}

/** Most accounts and methods held between two drains; beyond it, new ones are not counted. */
const PENDING_MAX = 10_000;
/** Longer runs say no more. */
const RUN_MAX = 100;

export function createHealthLedger(now: () => Date): HealthLedger {
  const pending = new Map<string, PendingCounts>();
  const runs = new Map<string, FaultInRow[]>();

  function at(where: SeriesKey): PendingCounts {
    const bucketAt = new Date(bucketOf(now().getTime()));
    const key = `${seriesKey(where.accountId, where.method)}|${bucketAt.getTime()}`;
    const counts = pending.get(key) ?? emptyCounts(where, bucketAt);
    if (pending.size < PENDING_MAX) pending.set(key, counts);
    return counts;
  }

  return {
    observeOpening(where, outcome) {
      const seen = classifyOutcome(outcome);
      for (const series of seriesOf(where)) {
        countOpening(at(series), seen.outcome, seen.kind, outcome.call.latencyMs);
        const key = seriesKey(series.accountId, series.method);
        if (seen.outcome === 'succeeded') runs.delete(key);
        if (seen.outcome !== 'provider_fault' || runs.size >= PENDING_MAX) continue;
        const fault = { at: now().getTime() - outcome.call.latencyMs, kind: seen.kind ?? 'malformed' };
        runs.set(key, [...(runs.get(key) ?? []), fault].slice(-RUN_MAX));
      }
    },
    observeLookup(where, outcome) {
      countLookup(at({ ...where, method: ANY_METHOD }), classifyOutcome(outcome).outcome);
    },
    observeEnd(where, end) {
      for (const series of seriesOf(where)) at(series)[end] += 1;
    },
    run: (accountId, method) => runs.get(seriesKey(accountId, method)) ?? NO_RUN,
    drain() {
      const rows = [...pending.values()];
      pending.clear();
      return rows;
    },
  };
}

const NO_RUN: readonly FaultInRow[] = [];

/** Everything counts for the account as a whole too. */
function seriesOf(where: Where): SeriesKey[] {
  const whole = { ...where, method: ANY_METHOD };
  return where.method === null ? [whole] : [whole, { ...where, method: where.method }];
}

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

/** The account and method an observation is about. `method` null where the payment named none. */
export interface Where {
  readonly merchantId: string;
  readonly accountId: string;
  readonly method: string | null;
}

/** This process's observations: counts not yet shared with other processes, and consecutive faults per account. */
export interface HealthLedger {
  /** `gatewayMs` is how long the gateway took. */
  observeOpening(where: Where, outcome: Outcome<unknown>, gatewayMs: number): void;
  /** A look-up is evidence for the account as a whole, not for the payment's method. */
  observeLookup(where: Where, outcome: Outcome<unknown>): void;
  observeEnd(where: Where, end: 'paid' | 'unpaid'): void;
  /** The latest consecutive failed openings, oldest first. */
  run(accountId: string, method: string): readonly FaultInRow[];
  /** Returns and clears all counts: each account, method and bucket once. */
  drain(): HealthCounts[];
}

/** Most buckets kept between two drains; further ones are not counted. */
const PENDING_MAX = 10_000;
/** Longer runs add no evidence. */
const RUN_MAX = 100;

/** Counts outcomes in memory until they are drained. Outcomes of more than 10,000 buckets are not counted. */
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
    observeOpening(where, outcome, gatewayMs) {
      const seen = classifyOutcome(outcome);
      for (const series of seriesOf(where)) {
        countOpening(at(series), seen.outcome, seen.kind, gatewayMs);
        const key = seriesKey(series.accountId, series.method);
        if (seen.outcome === 'succeeded') runs.delete(key);
        if (seen.outcome !== 'provider_fault' || runs.size >= PENDING_MAX) continue;
        const fault = { at: now().getTime() - gatewayMs, kind: seen.kind ?? 'malformed' };
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

/** Every observation of a method counts for the account as a whole too. */
function seriesOf(where: Where): SeriesKey[] {
  const whole = { ...where, method: ANY_METHOD };
  return where.method === null ? [whole] : [whole, { ...where, method: where.method }];
}

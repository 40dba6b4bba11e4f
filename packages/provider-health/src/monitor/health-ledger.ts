import type { FailureCode, Outcome } from '@switchyard/gateways';
import type { FaultKind } from '@switchyard/routing';
import type { FaultInRow } from '../assess/evidence.ts';
import { bucketOf, type HealthOutcome } from '../assess/outcome-counts.ts';
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

/** Classifies a call's outcome as evidence of the provider's health. Declines and misconfiguration of ours are no evidence. */
export function classifyOutcome(outcome: Outcome<unknown>): { readonly outcome: HealthOutcome; readonly kind?: FaultKind } {
  if (outcome.outcome === 'yes') return { outcome: 'succeeded' };
  if (outcome.failure.class !== 'provider_fault')
    return isAnswered(outcome.failure.code) ? { outcome: 'succeeded' } : { outcome: 'ignored' };
  return { outcome: 'provider_fault', ...faultKind(outcome.failure.code) };
}

/** The provider works: it looked the payment up and reported its status, also one that we cannot read. */
function isAnswered(code: FailureCode): boolean {
  return code === 'not_found' || code === 'not_paid_yet' || code === 'unrecognised_status' || code === 'undecided';
}

function faultKind(code: FailureCode): { kind: FaultKind } {
  switch (code) {
    case 'timeout':
      return { kind: 'timed_out' };
    case 'connection_refused':
    case 'connection_lost':
      return { kind: 'refused' };
    case 'http_5xx':
      return { kind: 'server_error' };
    case 'rate_limited':
      return { kind: 'rate_limited' };
    case 'malformed_answer':
    case 'answer_too_large':
    case 'unsafe_checkout_url':
    case 'reference_mismatch':
    case 'invalid_credentials':
    case 'request_rejected':
    case 'duplicate_reference':
    case 'not_found':
    case 'not_paid_yet':
    case 'declined':
    case 'checkout_closed':
    case 'unrecognised_status':
    case 'undecided':
    case 'not_supported':
    case 'address_refused':
      return { kind: 'malformed' };
    default:
      return code satisfies never;
  }
}

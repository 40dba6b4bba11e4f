import type { HealthState } from '@switchyard/routing';
import type { HealthThresholds } from '../thresholds/thresholds.ts';
import { meanLatencyMs, type OutcomeCounts, WINDOW_MS } from './outcome-counts.ts';

/** How long openings of checkouts usually take at one account. Plain data, safe to store. */
export interface UsualLatency {
  /** Milliseconds. */
  readonly ms: number;
  /** When it was last learned, epoch milliseconds. */
  readonly learnedAt: number;
}

/** Weight of the newest window among those before. */
const NEWEST_WEIGHT = 0.25;
/** A slow account is fast again at this share of the latency that made it slow. */
const FAST_SHARE = 0.6;
/** How many times the usual latency an opening is given before the next account is tried. */
const TIMEOUT_TIMES = 2;
/** An opening is overdue after this many times the usual latency, and after no less than this share of the time it is given. */
const OVERDUE_TIMES = 1.5;
const OVERDUE_SHARE = 0.25;

/**
 * Updates the usual latency from a window of openings: at once where none is known, then once per window. Only a healthy account
 * that is not slow updates it, so that a slow one is never measured against its own slowness.
 */
export function learnUsualLatency(
  known: UsualLatency | null,
  window: OutcomeCounts,
  state: HealthState,
  now: number,
  thresholds: HealthThresholds,
): UsualLatency | null {
  if (known !== null && now - known.learnedAt < WINDOW_MS) return known;
  if (state !== 'healthy' || window.succeeded < thresholds.minSamples) return known;
  const mean = meanLatencyMs(window);
  if (mean >= slowFromMs(known?.ms ?? null, thresholds)) return known;
  return { ms: Math.round(known === null ? mean : known.ms + (mean - known.ms) * NEWEST_WEIGHT), learnedAt: now };
}

/** Mean latency from which an account is slow. */
export function slowFromMs(usualMs: number | null, { slowTimes, fastMs, slowMs }: HealthThresholds): number {
  return usualMs === null ? slowMs : Math.min(slowMs, Math.max(fastMs, usualMs * slowTimes));
}

/** Mean latency up to which an account that was slow is fast again. */
export function fastUntilMs(usualMs: number | null, thresholds: HealthThresholds): number {
  return slowFromMs(usualMs, thresholds) * FAST_SHARE;
}

/** How long an opening may take before the next account is tried, in milliseconds. */
export function openingTimeoutMs(usualMs: number | null, { openingTimeoutMinMs, openingTimeoutMaxMs }: HealthThresholds): number {
  if (usualMs === null) return openingTimeoutMaxMs;
  return Math.round(Math.min(openingTimeoutMaxMs, Math.max(openingTimeoutMinMs, usualMs * TIMEOUT_TIMES)));
}

/** How long an opening may go unanswered before that counts against the account, in milliseconds; less than it may take. */
export function openingOverdueMs(usualMs: number | null, thresholds: HealthThresholds): number {
  return Math.round(Math.max(openingTimeoutMs(usualMs, thresholds) * OVERDUE_SHARE, (usualMs ?? 0) * OVERDUE_TIMES));
}

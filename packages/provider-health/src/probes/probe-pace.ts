import type { HealthDetail } from '../monitor/health-series.ts';

/** The latest probe of an account by this process. */
export interface ProbeResult {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly answered: boolean;
}

/** Facts that the pace of an account's probes depends on. Times are epoch milliseconds. */
export interface ProbePaceInput {
  /** Since when the gateway refuses the account as it is configured; null while it does not. */
  readonly faultAt: Date | null;
  /** The account's own health, without what other merchants observed. */
  readonly own: readonly Pick<HealthDetail, 'health' | 'lookups' | 'answersSince'>[];
  readonly last: ProbeResult | undefined;
  readonly now: number;
}

const IDLE_EVERY_MS = 60_000;
const TROUBLED_EVERY_MS = 5_000;
const LONG_TROUBLED_EVERY_MS = 10_000;
const LONG_TROUBLED_MS = 120_000;
const ANSWERED_EVERY_MS = 30_000;
const REFUSED_EVERY_MIN_MS = 15_000;
const REFUSED_EVERY_MAX_MS = 900_000;

/**
 * Milliseconds from one probe of an account to the next; null for none, because checkouts show its health. Accounts in trouble are probed
 * every five seconds, after two minutes every ten, and every five again once one is answered. One whose probes have shown what they can
 * waits for a checkout: every thirty. Those that the gateway refuses are probed with back-off.
 */
export function probeEveryMs({ faultAt, own, last, now }: ProbePaceInput): number | null {
  if (faultAt !== null) return Math.min(REFUSED_EVERY_MAX_MS, Math.max(REFUSED_EVERY_MIN_MS, (now - faultAt.getTime()) / 2));
  const troubled = own.filter(({ health: { state, faulted }, lookups }) => state !== 'healthy' || faulted + lookups.failed > 0);
  if (troubled.length === 0) {
    const isIdle = own.every(({ health: { succeeded, faulted } }) => succeeded + faulted === 0);
    return isIdle ? IDLE_EVERY_MS : null;
  }
  const unhealthy = troubled.filter(({ health: { state } }) => state !== 'healthy');
  if (unhealthy.length > 0 && unhealthy.every(({ answersSince }) => answersSince !== null)) return ANSWERED_EVERY_MS;
  const since = Math.min(...unhealthy.map(({ health }) => Date.parse(health.since)));
  return now - since < LONG_TROUBLED_MS || last?.answered === true ? TROUBLED_EVERY_MS : LONG_TROUBLED_EVERY_MS;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const FIRST_WAIT_MS = MINUTE_MS;
const OPEN_WAIT_MAX_MS = 30 * MINUTE_MS;
/** Waits at an account whose webhooks arrive. */
const FIRST_WAIT_BESIDE_WEBHOOKS_MS = 3 * MINUTE_MS;
const OPEN_WAIT_BESIDE_WEBHOOKS_MS = 10 * MINUTE_MS;
const LATE_WAIT_MIN_MS = 5 * MINUTE_MS;
const LATE_WAIT_MAX_MS = 12 * HOUR_MS;
/** How long after its session ended money may still arrive for a payment. */
const LATE_WATCH_MS = 72 * HOUR_MS;
const JITTER = 0.15;

/**
 * When to verify a payment again. While its session is open, and where webhooks arrive, those report it sooner and lookups only
 * serve a lost one: the first after three minutes, then six an hour. Where webhooks do not arrive, waits grow with the
 * payment's age from one minute to half an hour. One lookup falls just after the session's end; afterwards waits grow from five
 * minutes to twelve hours. `random` in [0, 1) spreads payments that began together.
 */
export function nextCheckAt(times: {
  readonly now: Date;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** True if webhooks arrive of every account that may still bring money. */
  readonly webhooksArrive: boolean;
  readonly random: number;
}): Date {
  const { createdAt, expiresAt, webhooksArrive, random } = times;
  const now = times.now.getTime();
  const left = expiresAt.getTime() - now;
  const spread = 1 + JITTER * (2 * random - 1);
  if (left <= 0) return new Date(now + spread * between(-left / 2, LATE_WAIT_MIN_MS, LATE_WAIT_MAX_MS));
  const wait =
    spread * (webhooksArrive ? waitBesideWebhooks(now - createdAt.getTime()) : waitWithoutWebhooks(now - createdAt.getTime()));
  return new Date(now + Math.ceil(Math.min(wait, left + random * 10_000)));
}

function waitBesideWebhooks(ageMs: number): number {
  return ageMs < FIRST_WAIT_BESIDE_WEBHOOKS_MS / 2 ? FIRST_WAIT_BESIDE_WEBHOOKS_MS : OPEN_WAIT_BESIDE_WEBHOOKS_MS;
}

function waitWithoutWebhooks(ageMs: number): number {
  return between(ageMs / 2, FIRST_WAIT_MS, OPEN_WAIT_MAX_MS);
}

/** When to first verify attempts that may still be paid after their payment was; null when none can be. */
export function lateCheckAt(now: Date, expiresAt: Date): Date | null {
  return isWatched(now, expiresAt) ? new Date(now.getTime() + LATE_WAIT_MIN_MS) : null;
}

/** True if money may still arrive. */
export function isWatched(now: Date, expiresAt: Date): boolean {
  return now.getTime() < expiresAt.getTime() + LATE_WATCH_MS;
}

/** When to retry a gateway without an answer: soon, then less and less often. `unanswered` counts the attempts so far. */
export function retryAt({ now, unanswered, random }: { now: Date; unanswered: number; random: number }): Date {
  const wait = Math.min(10_000 * 2 ** Math.min(unanswered, 10), 10 * MINUTE_MS);
  return new Date(now.getTime() + Math.round(wait * (1 + JITTER * (2 * random - 1))));
}

function between(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

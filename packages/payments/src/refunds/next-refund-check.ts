const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const WAIT_MIN_MS = 5 * SECOND_MS;
const WAIT_MAX_MS = 6 * HOUR_MS;
const SENDING_WAIT_MAX_MS = 600 * SECOND_MS;
const JITTER = 0.15;

/**
 * When to look a refund up again: waits grow with its age from five seconds to six hours, because gateways take from moments
 * to weeks. `random` in [0, 1) spreads refunds that began together.
 */
export function nextRefundCheckAt(times: { now: Date; since: Date; random: number }): Date {
  return after(times, WAIT_MAX_MS);
}

/** When to send again to a gateway that was not reached: within ten minutes. */
export function resendRefundAt(times: { now: Date; since: Date; random: number }): Date {
  return after(times, SENDING_WAIT_MAX_MS);
}

function after({ now, since, random }: { now: Date; since: Date; random: number }, mostMs: number): Date {
  const age = now.getTime() - since.getTime();
  const wait = Math.min(mostMs, Math.max(WAIT_MIN_MS, age / 2));
  return new Date(now.getTime() + Math.round(wait * (1 + JITTER * (2 * random - 1))));
}

import { setTimeout as sleep } from 'node:timers/promises';

/** How lately a merchant must have called for reports to give way. */
const CALLED_WITHIN_MS = 1_000;
/** How much of the time reports take while merchants call. */
const SHARE = 0.3;
/** Of the time before, as much counts as unused at most: a page of the dashboard asks several questions at once. */
const UNUSED_MAX_MS = 2_000;
/** No turn is waited for longer, however much was taken before it. */
const WAIT_MAX_MS = 1_000;
/** What a turn is taken to last for as long as it has not ended. */
const EXPECTED_MS = 10;

/** Has reports give way to payments: while merchants call, whatever reads for a report waits for its turn. */
export interface Turns {
  /** Does the work when it is its turn: at once while no merchant calls, and as soon as the signal says that nobody waits for it. */
  take<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

interface Moments {
  readonly now: number;
  /** When the next turn is; long past where there was none. */
  readonly nextAt: number;
  /** When a merchant last called; null for never. */
  readonly calledAt: number | null;
}

/** Tells moments and lets them pass. */
export interface Clock {
  now(): number;
  /** Ends sooner when the signal says so, and never fails. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

const REAL_CLOCK: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, signal && { signal }).catch(() => undefined),
};

/** The turns of one process. `calledAt` is by its clock. */
export function createTurns(calledAt: () => number | null, clock = REAL_CLOCK): Turns {
  let nextAt = Number.NEGATIVE_INFINITY;
  return {
    async take(work, signal) {
      const now = clock.now();
      const wait = waitForTurn({ now, nextAt, calledAt: calledAt() });
      nextAt = turnAfter({ now, nextAt }, EXPECTED_MS);
      if (wait > 0) await clock.sleep(wait, signal);
      const begunAt = clock.now();
      try {
        return await work();
      } finally {
        const endedAt = clock.now();
        nextAt = turnAfter({ now: endedAt, nextAt }, endedAt - begunAt - EXPECTED_MS);
      }
    },
  };
}

/** How long work waits for its turn, in milliseconds. Moments are milliseconds of one clock that never goes back. */
function waitForTurn({ now, nextAt, calledAt }: Moments): number {
  if (calledAt === null || now - calledAt > CALLED_WITHIN_MS) return 0;
  return Math.max(0, nextAt - now);
}

/** When the turn after one is that took so long; a negative time gives back what it was taken to last too long. */
function turnAfter({ now, nextAt }: Pick<Moments, 'now' | 'nextAt'>, tookMs: number): number {
  return Math.min(Math.max(nextAt, now - UNUSED_MAX_MS) + tookMs / SHARE, now + WAIT_MAX_MS);
}

/**
 * The time that a process was there to read answers. While its event loop is held up (by work of its own, the garbage collector, or a
 * machine without a free processor) answers lie unread, and no one waits for a gateway. All times are milliseconds.
 */
export interface AttendedTime {
  /** A clock that stands still while the process does not attend. */
  now(): number;
  /** How much has been left out of the last `ms`; exact for a minute. */
  missedWithin(ms: number): number;
  /** Call once in every interval. */
  tick(): void;
}

/** Milliseconds between two ticks. */
export const ATTEND_EVERY_MS = 50;
/** A timer is late by some milliseconds on any machine: of the time between two ticks, more than this many intervals is left out. */
const GAP_MAX_TICKS = 2;
/** No call of a gateway takes longer. */
const REMEMBERED_MS = 60_000;

interface Gap {
  readonly endedAt: number;
  readonly ms: number;
}

/** Attended time by a clock, whose ticks come every `everyMs`. */
export function createAttendedTime(clock: () => number, everyMs = ATTEND_EVERY_MS): AttendedTime {
  let missed = 0;
  let tickedAt = clock();
  let gaps: readonly Gap[] = [];
  const gapNow = () => Math.max(0, clock() - tickedAt - everyMs * GAP_MAX_TICKS);
  return {
    now: () => clock() - missed - gapNow(),
    missedWithin(ms) {
      const now = clock();
      const from = now - ms;
      const missedIn = ({ endedAt, ms: gapMs }: Gap) => Math.max(0, Math.min(gapMs, endedAt - from));
      return gaps.reduce((sum, gap) => sum + missedIn(gap), missedIn({ endedAt: now, ms: gapNow() }));
    },
    tick() {
      const now = clock();
      const ms = gapNow();
      if (ms > 0) gaps = [...gaps.filter(({ endedAt }) => now - endedAt < REMEMBERED_MS), { endedAt: now, ms }];
      missed += ms;
      tickedAt = now;
    },
  };
}

/**
 * The time that a process was there to read answers. While its event loop is held up (by work of its own, the garbage collector, or a machine
 * without a free processor) answers lie unread, and nobody has waited for a gateway. All times are milliseconds.
 */
export interface AttendedTime {
  /** A clock that stands still while the process does not attend. */
  now(): number;
  /** How much has been left out so far. */
  missedMs(): number;
  /** Call once in every interval. */
  tick(): void;
}

/** Milliseconds between two ticks. */
export const ATTEND_EVERY_MS = 50;
/** A timer is late by some milliseconds on any machine: of the time between two ticks, more than this many intervals is left out. */
const GAP_MAX_TICKS = 2;

/** Attended time by a clock, whose ticks come every `everyMs`. */
export function createAttendedTime(clock: () => number, everyMs = ATTEND_EVERY_MS): AttendedTime {
  let missed = 0;
  let tickedAt = clock();
  const missedMs = () => missed + Math.max(0, clock() - tickedAt - everyMs * GAP_MAX_TICKS);
  return {
    now: () => clock() - missedMs(),
    missedMs,
    tick() {
      missed = missedMs();
      tickedAt = clock();
    },
  };
}

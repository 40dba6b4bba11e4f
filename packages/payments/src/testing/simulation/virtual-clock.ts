/** A clock that jumps from one event to the next. Times are milliseconds. */
export interface VirtualClock {
  now(): number;
  /** Runs a task after so many milliseconds; tasks due at the same moment run in the order of scheduling. */
  after(ms: number, act: () => void): void;
  /** Lets time pass within a task, as a computation does: what is due meanwhile runs later, in the order in which it was due. */
  spend(ms: number): void;
  /** Runs everything that is due up to a moment. */
  runUntil(moment: number): void;
}

interface Event {
  readonly at: number;
  readonly act: () => void;
}

export function createVirtualClock(begin: number): VirtualClock {
  let now = begin;
  /** Latest first, so that the next one is popped off the end. */
  const events: Event[] = [];

  function placeOf(at: number): number {
    let low = 0;
    let high = events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((events[middle]?.at ?? 0) > at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    now: () => now,
    after(ms, act) {
      const at = now + Math.max(0, ms);
      events.splice(placeOf(at), 0, { at, act });
    },
    spend(ms) {
      now += ms;
    },
    runUntil(moment) {
      for (let event = events.at(-1); event !== undefined && event.at <= moment; event = events.at(-1)) {
        events.pop();
        now = Math.max(now, event.at);
        event.act();
      }
      now = Math.max(now, moment);
    },
  };
}

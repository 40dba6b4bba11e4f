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
  /** How many were scheduled before. */
  readonly order: number;
  readonly act: () => void;
}

const isBefore = (one: Event, other: Event) => one.at < other.at || (one.at === other.at && one.order < other.order);

export function createVirtualClock(begin: number): VirtualClock {
  let now = begin;
  let scheduled = 0;
  /** A binary heap: none is due before its parent, at half its place. The first place stays empty. */
  const events: (Event | undefined)[] = [undefined];

  function push(event: Event): void {
    let place = events.length;
    for (let above = events[place >> 1]; above !== undefined && isBefore(event, above); above = events[place >> 1]) {
      events[place] = above;
      place >>= 1;
    }
    events[place] = event;
  }

  function removeFirst(): void {
    const last = events.pop();
    if (last === undefined || events.length === 1) return;
    let place = 1;
    for (;;) {
      let below = place * 2;
      const [left, right] = [events[below], events[below + 1]];
      if (left !== undefined && right !== undefined && isBefore(right, left)) below += 1;
      const sooner = events[below];
      if (sooner === undefined || isBefore(last, sooner)) break;
      events[place] = sooner;
      place = below;
    }
    events[place] = last;
  }

  return {
    now: () => now,
    after(ms, act) {
      scheduled += 1;
      push({ at: now + Math.max(0, ms), order: scheduled, act });
    },
    spend(ms) {
      now += ms;
    },
    runUntil(moment) {
      for (let event = events[1]; event !== undefined && event.at <= moment; event = events[1]) {
        removeFirst();
        now = Math.max(now, event.at);
        event.act();
      }
      now = Math.max(now, moment);
    },
  };
}

/** Pseudo-random numbers, reproducible by seed. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** Exponentially distributed with this mean: the time to the next of independent events. */
  wait(mean: number): number;
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  }
  return {
    next,
    chance: (probability) => next() < probability,
    wait: (mean) => -Math.log(1 - next()) * mean,
  };
}

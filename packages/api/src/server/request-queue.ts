import type { Importance } from '../http/request-kinds.ts';

/** Queue of requests that wait for their turn. */
export interface RequestQueue {
  /**
   * Calls `start` at once or when it is the request's turn, or else `refuse` when it has waited too long. The returned function is called
   * once, when the request needs no more of the process or its client has left.
   */
  enter(importance: QueuedClass, start: () => void, refuse: () => void): () => void;
  /** Requests that wait. */
  readonly waiting: number;
  /** Requests that may be worked on at a time. */
  readonly limit: number;
  /** Takes the delay of the event loop, every {@link SAMPLE_MS}; lets those go on whose turn it is, and refuses those that waited too long. */
  sample(delayMs: number): void;
}

/** The classes of requests that take turns, those that go first before the others. */
export const QUEUED_CLASSES = ['reads', 'dashboard'] as const satisfies readonly Importance[];
export type QueuedClass = (typeof QUEUED_CLASSES)[number];

export interface RequestQueueOptions {
  /** Longest wait, milliseconds. */
  readonly waitMaxMs: number;
  readonly clock: () => number;
  /** False while more important requests take all that the process can do. */
  readonly hasCapacity: (importance: QueuedClass) => boolean;
}

/** Most and fewest requests that are worked on at a time, and how many are while none waits: a burst must not find many under way. */
const AT_ONCE_MAX = 32;
const AT_ONCE_MIN = 4;
const AT_ONCE_USUAL = 8;
/** Delay of the event loop, in milliseconds, from which fewer requests are worked on. */
const TARGET_DELAY_MS = 15;
/** A pause of the garbage collector is no overload: the middle one of three delays counts. */
const SAMPLES = 3;
const SHRINK = 0.7;
const GROW = 1.1;
/** A refusal costs time too: of those that are due, so many go with a sample, and fewer while the event loop is late. */
const REFUSED_AT_ONCE_MAX = 100;
const REFUSED_LATE_MAX = 10;

interface Entry {
  readonly since: number;
  readonly start: () => void;
  readonly refuse: () => void;
  state: 'waiting' | 'running' | 'over';
}

/**
 * Lets requests of little importance take turns, so that the event loop comes round quickly for all others, those on new connections too:
 * these wait in the kernel while the process works on what it has read. How many run at a time follows the delay of the event loop: fewer
 * at once while it lasts, more while it is gone and some wait. A process that shares its processors therefore serves them one after the other and refuses
 * none that it can serve in time; what a request has waited decides, and not how many there are. After the controlled delay of queues
 * (Nichols and Jacobson, "Controlling Queue Delay", ACM Queue 2012) and of servers (Maurer, "Fail at Scale", ACM Queue 2015).
 */
export function createRequestQueue({ waitMaxMs, clock, hasCapacity }: RequestQueueOptions): RequestQueue {
  const queues: Record<QueuedClass, Entry[]> = { reads: [], dashboard: [] };
  const recent: number[] = [];
  let limit = AT_ONCE_USUAL;
  let running = 0;
  let waiting = 0;

  function run(entry: Entry): void {
    running += 1;
    entry.state = 'running';
    entry.start();
  }

  function end(entry: Entry): void {
    if (entry.state === 'over') return;
    if (entry.state === 'waiting') waiting -= 1;
    else running -= 1;
    entry.state = 'over';
    goOn();
  }

  /** The oldest that still waits. */
  function first(importance: QueuedClass): Entry | undefined {
    const queue = queues[importance];
    while (queue[0]?.state === 'over') queue.shift();
    return queue[0];
  }

  function goOn(): void {
    for (const importance of QUEUED_CLASSES) {
      for (let next = first(importance); next !== undefined; next = first(importance)) {
        if (running >= limit || !hasCapacity(importance)) return;
        queues[importance].shift();
        waiting -= 1;
        run(next);
      }
    }
  }

  function refuseLate(most: number): void {
    let refused = 0;
    const latest = clock() - waitMaxMs;
    for (const importance of QUEUED_CLASSES.toReversed()) {
      for (let next = first(importance); next !== undefined && next.since <= latest; next = first(importance)) {
        if (refused === most) return;
        refused += 1;
        queues[importance].shift();
        waiting -= 1;
        next.state = 'over';
        next.refuse();
      }
    }
  }

  return {
    get waiting() {
      return waiting;
    },
    get limit() {
      return limit;
    },
    enter(importance, start, refuse) {
      const entry: Entry = { since: clock(), start, refuse, state: 'waiting' };
      if (waiting === 0 && running < limit && hasCapacity(importance)) run(entry);
      else {
        waiting += 1;
        queues[importance].push(entry);
      }
      return () => end(entry);
    },
    sample(delayMs) {
      recent.push(delayMs);
      if (recent.length > SAMPLES) recent.shift();
      const isLate = middleOf(recent) > TARGET_DELAY_MS;
      if (isLate) limit = Math.max(AT_ONCE_MIN, Math.floor(limit * SHRINK));
      else if (waiting > 0) limit = Math.min(AT_ONCE_MAX, Math.ceil(limit * GROW));
      else limit += Math.sign(AT_ONCE_USUAL - limit);
      refuseLate(isLate ? REFUSED_LATE_MAX : REFUSED_AT_ONCE_MAX);
      goOn();
    },
  };
}

function middleOf(delaysMs: readonly number[]): number {
  return delaysMs.length < SAMPLES ? 0 : (delaysMs.toSorted((one, other) => one - other)[Math.floor(SAMPLES / 2)] ?? 0);
}

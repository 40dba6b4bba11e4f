/** Something that events belong to: a logical process, or the world around them. */
export interface Owner {
  readonly name: string;
  /** Events of an owner that is not alive are dropped. */
  alive: boolean;
  /** Events before this time wait until then: the process is paused. */
  pausedUntil: number;
  /** Called before each event; may end the owner instead. */
  beforeEvent?: () => void;
}

/** An event that has not happened yet. Its time and its place among others of that time change when its owner is paused. */
export interface Scheduled {
  readonly task: () => void;
  readonly owner: Owner;
  at: number;
  tie: number;
  number: number;
  isCancelled: boolean;
}

const nextTurn = globalThis.setImmediate;

/** Node does between two callbacks of one turn what it does between two turns, but does not ask the operating system for news. */
const EVENTS_OF_TURN = 64;

/**
 * The virtual time of a world in milliseconds, and everything that happens in it, one event after the other. Of events at the same time,
 * those of one owner keep their order, as timers do in Node; between owners the seed decides.
 */
export class Scheduler {
  now: number;
  /** Events that have happened. */
  happened = 0;
  private readonly seed: number;
  private readonly heap: Scheduled[] = [];
  private numbers = 0;
  private readonly owners = new Map<Owner, number>();

  constructor(startMs: number, seed: number) {
    this.now = startMs;
    this.seed = seed;
  }

  after(delayMs: number, owner: Owner, task: () => void): Scheduled {
    return this.at(this.now + Math.max(0, delayMs), owner, task);
  }

  at(time: number, owner: Owner, task: () => void): Scheduled {
    const at = Math.max(time, this.now);
    const number = this.numbers++;
    const event = { at, task, owner, tie: this.tieOf(owner, at), number, isCancelled: false };
    push(this.heap, event);
    return event;
  }

  /** Lets events happen until `isDone` or until none is left. */
  run(isDone: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      let isOver = false;
      // Whatever an event leads to without waiting for another has happened before the next is called.
      const step = (): void => {
        if (isOver) return;
        try {
          isOver = isDone() || !this.next();
          if (isOver) resolve();
        } catch (error) {
          isOver = true;
          reject(error);
        }
      };
      const turn = (): void => {
        if (isOver) return;
        for (let left = EVENTS_OF_TURN; left > 0; left--) nextTurn(step);
        nextTurn(turn);
      };
      turn();
    });
  }

  /** Lets the next event happen; false when none is left. */
  private next(): boolean {
    for (let event = pop(this.heap); event !== undefined; event = pop(this.heap)) {
      const { owner } = event;
      if (event.isCancelled || !owner.alive) continue;
      if (owner.pausedUntil > event.at) {
        event.at = owner.pausedUntil;
        event.tie = this.tieOf(owner, event.at);
        event.number = this.numbers++;
        push(this.heap, event);
        continue;
      }
      this.now = Math.max(this.now, event.at);
      owner.beforeEvent?.();
      if (!owner.alive) continue;
      this.happened++;
      event.task();
      return true;
    }
    return false;
  }

  private tieOf(owner: Owner, at: number): number {
    let known = this.owners.get(owner);
    if (known === undefined) {
      known = this.owners.size + 1;
      this.owners.set(owner, known);
    }
    return mix(this.seed ^ Math.imul(known, 0x9e3779b1) ^ Math.floor(at * 1_000));
  }
}

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

function isBefore(one: Scheduled, other: Scheduled): boolean {
  if (one.at !== other.at) return one.at < other.at;
  return one.tie === other.tie ? one.number < other.number : one.tie < other.tie;
}

function push(heap: Scheduled[], event: Scheduled): void {
  let place = heap.push(event) - 1;
  while (place > 0) {
    const parent = (place - 1) >> 1;
    const above = heap[parent];
    if (above === undefined || !isBefore(event, above)) break;
    heap[place] = above;
    place = parent;
  }
  heap[place] = event;
}

function pop(heap: Scheduled[]): Scheduled | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (first === undefined || last === undefined || heap.length === 0) return first;
  let place = 0;
  for (;;) {
    const left = heap[2 * place + 1];
    if (left === undefined) break;
    const right = heap[2 * place + 2];
    const [child, at] = right !== undefined && isBefore(right, left) ? [right, 2 * place + 2] : [left, 2 * place + 1];
    if (!isBefore(child, last)) break;
    heap[place] = child;
    place = at;
  }
  heap[place] = last;
  return first;
}

/**
 * Kinds of paced work: polls for work that a notification may have announced, and recurring work that no payment waits for. Of a queue's
 * many consumers in one process, one polls for all; the rest (`spare`) wait for notifications. A `beat` says that a process lives.
 */
export type WaitKind = 'queue' | 'spare' | 'poll' | 'watch' | 'heartbeat' | 'beat' | 'lists' | 'housekeeping';

/** Factor by which each kind waits longer in a world than in production. */
export type Pace = Readonly<Record<WaitKind, number>>;

/** Factor by which the timers of a starved machine wait longer: those of a kind of work as the kind says, any other from a length on. */
export interface Stretch {
  readonly fromMs: number;
  readonly factor: number;
  readonly kinds?: Readonly<Partial<Record<WaitKind, number>>>;
  /** The longest that a kind of work is put off to, in milliseconds. */
  readonly longestMs?: Readonly<Partial<Record<WaitKind, number>>>;
}

/** A wait of paced work, in milliseconds. A number for programs; timers know by its kind how far to stretch it. */
export class PacedWait extends Number {
  readonly kind: WaitKind;

  constructor(kind: WaitKind, ms: number) {
    super(ms);
    this.kind = kind;
  }
}

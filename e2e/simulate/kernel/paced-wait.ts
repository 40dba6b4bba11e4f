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

import type { Fault, FaultKind } from './kinds.ts';

/** Numbers in [0, 1), the same sequence for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A fault that is on: the seed of its random choices, and since when (ISO 8601). */
export interface ActiveFault extends Fault {
  readonly seed: number;
  readonly since: string;
}

/**
 * The one fault a gateway has at a time. Whether it strikes is drawn per occasion (a call, a webhook, a payment)
 * from a generator seeded when the fault is set, so a run repeats.
 */
export class FaultSwitches {
  #fault: ActiveFault | null = null;
  #random: () => number = seededRandom(1);

  get active(): ActiveFault | null {
    return this.#fault;
  }

  set(fault: Fault, since: string): ActiveFault {
    const seed = fault.seed ?? 1;
    this.#random = seededRandom(seed);
    this.#fault = { ...fault, seed, since };
    return this.#fault;
  }

  clear(): void {
    this.#fault = null;
  }

  /** The active fault when it is one of `kinds` and its probability strikes this time. */
  strike(kinds: readonly FaultKind[]): ActiveFault | null {
    const fault = this.#fault;
    if (fault === null || !kinds.includes(fault.kind)) return null;
    const probability = fault.probability ?? 1;
    return probability >= 1 || this.#random() < probability ? fault : null;
  }
}

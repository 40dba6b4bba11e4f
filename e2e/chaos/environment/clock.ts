import type { EventEmitter } from 'node:events';
import { z } from 'zod';

/** The state of the run's clock, as processes get it: how far it is ahead of the machine's. */
export const clockSchema = z.object({ aheadMs: z.number() });
export type ClockState = z.output<typeof clockSchema>;

/** The clock of a run, in milliseconds: the machine's, which steps ahead now and then. */
export class RunClock {
  readonly #steps = [{ since: 0, aheadMs: 0 }];

  now(): number {
    return this.at(Date.now());
  }

  /** The time of the run at a time of the machine. */
  at(machineMs: number): number {
    return machineMs + (this.#steps.findLast(({ since }) => since <= machineMs)?.aheadMs ?? 0);
  }

  /** Steps ahead, for this process. Returns the state to send to the others. */
  step(milliseconds: number): ClockState {
    const aheadMs = this.state.aheadMs + milliseconds;
    this.#steps.push({ since: Date.now(), aheadMs });
    return { aheadMs };
  }

  get state(): ClockState {
    return { aheadMs: this.#steps.at(-1)?.aheadMs ?? 0 };
  }
}

/** The run's clock in one of its processes, which gets the state in its environment and then in `messages`. */
export function followClock({ CHAOS_CLOCK = '{"aheadMs":0}' }: NodeJS.ProcessEnv, messages: EventEmitter = process): () => Date {
  let { aheadMs } = clockSchema.parse(JSON.parse(CHAOS_CLOCK));
  messages.on('message', (message) => {
    aheadMs = clockSchema.parse(message).aheadMs;
  });
  return () => new Date(Date.now() + aheadMs);
}

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

const stateSchema = z.object({ aheadMs: z.number(), offMs: z.record(z.string(), z.number()) });
type ClockState = z.output<typeof stateSchema>;

const FRESH_MS = 10;
/** Requests begun before a step may end this long after it. */
const STEP_TOLERANCE_MS = 30_000;

/** The clock of one process, from a file that the run writes. */
export function readClock(file: string, name: string): () => Date {
  let read = Number.NEGATIVE_INFINITY;
  let offset = 0;
  return () => {
    if (performance.now() - read > FRESH_MS) {
      const { aheadMs, offMs } = stateSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
      offset = aheadMs + (offMs[name] ?? 0);
      read = performance.now();
    }
    return new Date(Date.now() + offset);
  };
}

/** All clocks of a run: one time that only steps ahead, from which a process's own can be made to differ for a while. */
export interface RunClock {
  now(): number;
  /** How often it stepped. */
  readonly steps: number;
  step(milliseconds: number): void;
  /** Sets how far one process is off; 0 corrects it. */
  setOff(name: string, milliseconds: number): void;
  /** Whether it is about this time, or was until the clocks stepped ahead just now. */
  isAbout(time: number, toleranceMs: number): boolean;
  /** Converts a time of the run's clock to the machine's. */
  onMachine(time: number): number;
}

export function runClock(file: string): RunClock {
  let state: ClockState = { aheadMs: 0, offMs: {} };
  const steps: { readonly since: number; readonly aheadMs: number }[] = [{ since: 0, aheadMs: 0 }];
  write(state);

  function write(next: ClockState): void {
    state = next;
    writeFileSync(`${file}.next`, JSON.stringify(state));
    renameSync(`${file}.next`, file);
  }

  return {
    now: () => Date.now() + state.aheadMs,
    get steps() {
      return steps.length - 1;
    },
    step(milliseconds) {
      write({ ...state, aheadMs: state.aheadMs + milliseconds });
      steps.push({ since: Date.now(), aheadMs: state.aheadMs });
    },
    setOff(name, milliseconds) {
      write({ ...state, offMs: { ...state.offMs, [name]: milliseconds } });
    },
    isAbout(time, toleranceMs) {
      const recent = steps.filter((_, at) => (steps[at + 1]?.since ?? Number.POSITIVE_INFINITY) > Date.now() - STEP_TOLERANCE_MS);
      return recent.some(({ aheadMs }) => Math.abs(time - Date.now() - aheadMs) <= toleranceMs);
    },
    onMachine(time) {
      // Steps only go ahead: the last one under which the time is not before the step itself was in force.
      const step = steps.findLast(({ since, aheadMs }) => time - aheadMs >= since);
      return time - (step?.aheadMs ?? 0);
    },
  };
}

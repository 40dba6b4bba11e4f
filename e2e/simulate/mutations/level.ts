import { ForeignEdit } from '../kernel/code.ts';
import type { Mutation } from './list.ts';

/** A bug to find at one level. */
export interface MutationTask {
  readonly mutation: Mutation;
  /** Payments of each world. */
  readonly each: number;
  /** Begins nothing further this long after the first. */
  readonly seconds: number;
}

/** Outcome of the search for a bug. */
export interface MutationResult {
  /** The suite and its test, or the guarantees that a world broke; null when nothing found it. */
  readonly by: string | null;
  /** Worlds or suites that ran. */
  readonly runs: number;
  readonly seconds: number;
}

/** Outcome where a level does not run the code that the bug is in. */
export const NOT_RUN: MutationResult = { by: null, runs: 0, seconds: 0 };

/** {@link NOT_RUN} where the search found that its program has no such file. */
export function orNotRun(error: unknown): MutationResult {
  if (error instanceof ForeignEdit) return NOT_RUN;
  throw error;
}

/** As many of the first worlds are of the theme that a bug belongs to. */
const THEMED_SEEDS = 100;

/** Runs worlds, one seed after the other, until one breaks a guarantee. `breakIn` returns the kinds of what it broke. */
export async function searchWorlds<Theme>(
  seconds: number,
  theme: Theme | null,
  breakIn: (seed: number, theme: Theme | null) => Promise<readonly string[]>,
): Promise<MutationResult> {
  // A world may replace the clock of the process.
  const now = performance.now.bind(performance);
  const begunAt = now();
  const took = (): number => (now() - begunAt) / 1_000;
  let seed = 0;
  while (took() < seconds) {
    seed += 1;
    const kinds = await breakIn(seed, seed <= THEMED_SEEDS ? theme : null);
    if (kinds.length > 0) return { by: kinds.map((kind) => `\`${kind}\``).join(', '), runs: seed, seconds: took() };
  }
  return { by: null, runs: seed, seconds: took() };
}

import { serveTasks } from '../lanes.ts';
import { checkWorld } from '../oracle/check-world.ts';
import { openSimulator } from '../run-world.ts';
import { planWorld } from '../world/plan.ts';
import type { Theme } from '../world/world-plan.ts';
import type { Mutation } from './list.ts';

/** As many of the first worlds are of the theme that the bug belongs to. */
const THEMED_SEEDS = 100;

/** A bug to find. */
export interface MutationTask {
  readonly mutation: Mutation;
  /** The seeds to try, and how many payments each world has. */
  readonly seeds: number;
  readonly each: number;
  readonly seconds: number | null;
}

/** The first seed that found it, and what it broke; null when none did. */
export interface MutationResult {
  readonly found: { readonly seed: number; readonly kinds: readonly string[] } | null;
  readonly worlds: number;
  readonly cpuMs: number;
}

const realNow = performance.now.bind(performance);
const usedCpu = process.cpuUsage.bind(process);
const simulator = await openSimulator();

serveTasks(async ({ mutation, seeds, each, seconds }: MutationTask): Promise<MutationResult> => {
  await simulator.replaceProduct([mutation]);
  const begunAt = realNow();
  const before = usedCpu();
  const cpuMs = (): number => (usedCpu(before).user + usedCpu(before).system) / 1_000;
  let worlds = 0;
  for (let seed = 1; seed <= seeds; seed++) {
    if (seconds !== null && realNow() - begunAt > seconds * 1_000) break;
    worlds++;
    const kinds = await breakIn(seed, each, seed <= THEMED_SEEDS ? mutation.theme : null);
    if (kinds.length > 0) return { found: { seed, kinds }, worlds, cpuMs: cpuMs() };
  }
  return { found: null, worlds, cpuMs: cpuMs() };
});

/** Guarantees that a world of the seed breaks. A world that cannot go on counts. */
async function breakIn(seed: number, each: number, theme: Theme | null): Promise<string[]> {
  try {
    const run = await simulator.run(planWorld(seed, each, 'rough', theme));
    return [...new Set(checkWorld(run).map(({ kind }) => kind))];
  } catch (error) {
    return [`the world stopped: ${String(error)}`];
  }
}

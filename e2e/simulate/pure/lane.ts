import { serveTasks } from '../lanes.ts';
import { explainWorld } from './explain.ts';
import { product } from './open-pure.ts';
import { runWorld } from './run-world.ts';

/** Worlds to run, one seed after the other. */
export interface PureTask {
  readonly seed: number;
  readonly worlds: number;
  /** Payments of each. */
  readonly payments: number;
}

/** How they went, together. */
export interface PureResult {
  readonly worlds: number;
  readonly cpuMs: number;
  readonly steps: number;
  /** Report on the first that broke an invariant, after which no other was run. */
  readonly broken: readonly string[] | null;
}

serveTasks(async ({ seed, worlds, payments }: PureTask): Promise<PureResult> => {
  const before = process.cpuUsage();
  let steps = 0;
  let ran = 0;
  let broken: number | null = null;
  for (let next = seed; next < seed + worlds && broken === null; next += 1) {
    const result = runWorld(product, next, payments);
    ran += 1;
    steps += result.steps;
    if (result.found.length > 0) broken = next;
  }
  const { user, system } = process.cpuUsage(before);
  const report = broken === null ? null : explainWorld(product, broken, payments);
  return { worlds: ran, cpuMs: (user + system) / 1_000, steps, broken: report };
});

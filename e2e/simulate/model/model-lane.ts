import { serveTasks } from '../lanes.ts';
import { openModel } from './open-model.ts';

/** Worlds to run, one seed after the other. */
export interface ModelTask {
  readonly seed: number;
  readonly worlds: number;
  /** Payments of each. */
  readonly payments: number;
  /** True if the first is run a second time, and everything that happened compared. */
  readonly twice: boolean;
  readonly shrinks: boolean;
}

/** How they went, together. */
export interface ModelResult {
  readonly worlds: number;
  readonly cpuMs: number;
  readonly virtualMs: number;
  readonly events: number;
  readonly statements: number;
  readonly crashes: number;
  /** Report on the first that broke an invariant, after which no other was run. */
  readonly broken: readonly string[] | null;
}

const model = await openModel();

serveTasks(async ({ seed, worlds, payments, twice, shrinks }: ModelTask): Promise<ModelResult> => {
  const before = process.cpuUsage();
  const sums = { worlds: 0, virtualMs: 0, events: 0, statements: 0, crashes: 0 };
  let broken: readonly string[] | null = null;
  for (let next = seed; next < seed + worlds && broken === null; next += 1) {
    const run = await model.run(next, payments, { explains: true, shrinks });
    sums.worlds += 1;
    sums.virtualMs += run.virtualMs;
    sums.events += run.events;
    sums.statements += run.statements;
    sums.crashes += run.crashes;
    broken = run.report;
  }
  const used = process.cpuUsage(before);
  if (twice && broken === null) {
    const [first, second] = [await model.digest(seed, payments), await model.digest(seed, payments)];
    if (first !== second) broken = [`seed ${seed} did one thing first and another the second time`];
  }
  return { ...sums, cpuMs: (used.user + used.system) / 1_000, broken };
});

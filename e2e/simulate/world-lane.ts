import type { SourceEdit } from './kernel/code.ts';
import { serveTasks } from './lanes.ts';
import { checkWorld, explainViolations } from './oracle/explain-violations.ts';
import { openSimulator } from './run-world.ts';
import { type Climate, planWorld } from './world/plan.ts';
import type { Theme } from './world/world-plan.ts';

/** A world to run. */
export interface WorldTask {
  readonly seed: number;
  readonly payments: number;
  readonly climate: Climate;
  /** Theme of the world; null to draw that too. */
  readonly theme: Theme | null;
  /** True if it is run a second time, and everything that happened compared. */
  readonly twice: boolean;
  readonly shrinks: boolean;
  /** Bug that is in the product's code; null for the code as it is. */
  readonly bug: SourceEdit | null;
}

/** How it went. */
export interface WorldResult {
  readonly theme: Theme | null;
  readonly virtualMs: number;
  readonly cpuMs: number;
  readonly statements: number;
  readonly crashes: number;
  readonly faults: readonly string[];
  /** Report on a world that broke a guarantee. */
  readonly broken: readonly string[] | null;
}

const simulator = await openSimulator();
let bugIn: SourceEdit | null = null;

async function putIn(bug: SourceEdit | null): Promise<void> {
  if (bug?.file === bugIn?.file && bug?.search === bugIn?.search) return;
  await simulator.replaceProduct(bug === null ? [] : [bug]);
  bugIn = bug;
}

serveTasks(async ({ seed, payments, climate, theme, twice, shrinks, bug }: WorldTask): Promise<WorldResult> => {
  await putIn(bug);
  const plan = planWorld(seed, payments, climate, theme);
  const run = await simulator.run(plan);
  const violations = checkWorld(run);
  const { virtualMs, cpuMs, statements, crashes } = run;
  const result = {
    theme: plan.theme,
    virtualMs,
    cpuMs,
    statements,
    crashes,
    faults: [...plan.faults, ...(plan.outage === null ? [] : [plan.outage])].map(({ kind }) => kind),
  };
  if (twice && (await simulator.run(plan)).digest !== run.digest) {
    return { ...result, broken: [`seed ${seed} did one thing first and another the second time`] };
  }
  if (violations.length === 0) return { ...result, broken: null };
  const explained = await explainViolations({ simulator, plan, climate, violations, run, shrinks });
  return { ...result, broken: explained };
});

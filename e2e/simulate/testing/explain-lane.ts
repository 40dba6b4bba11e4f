import type { SourceEdit } from '../kernel/code.ts';
import { serveTasks } from '../lanes.ts';
import { checkWorld } from '../oracle/check-world.ts';
import { explainViolations } from '../oracle/explain-violations.ts';
import { openSimulator } from '../run-world.ts';
import { planWorld } from '../world/plan.ts';

/** A bug to put in, and the worlds in which it is looked for. */
export interface ExplainTask {
  readonly edit: SourceEdit;
  readonly seeds: number;
  readonly payments: number;
}

/** Report on the first world that the bug breaks. Rejects where none is. */
serveTasks(async ({ edit, seeds, payments }: ExplainTask): Promise<readonly string[]> => {
  const simulator = await openSimulator([edit]);
  for (let seed = 1; seed <= seeds; seed += 1) {
    const plan = planWorld(seed, payments, 'calm');
    const run = await simulator.run(plan);
    const violations = checkWorld(run);
    if (violations.length > 0) return explainViolations({ simulator, plan, climate: 'calm', violations, run, shrinks: true });
  }
  throw new Error('no world shows the bug');
});

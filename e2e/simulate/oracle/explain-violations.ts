import { buildTimeline, type Violation } from '../../chaos/checker/violation.ts';
import type { Simulator } from '../run-world.ts';
import type { Climate, WorldPlan } from '../world/plan.ts';
import { shrinkPlan } from './shrink-plan.ts';

const STORY_LINES = 200;

/** What to tell about a world that broke guarantees: which, the smallest plan found that still does, and what happened in order. */
export async function explainViolations(of: {
  readonly simulator: Simulator;
  readonly plan: WorldPlan;
  readonly climate: Climate;
  readonly violations: readonly Violation[];
  readonly story: readonly string[];
  readonly shrinks: boolean;
}): Promise<string[]> {
  const { simulator, plan, climate, violations, story, shrinks } = of;
  const { seed, payments } = plan;
  const [first] = violations;
  if (first === undefined) return [];
  const kinds = [...new Set(violations.map(({ kind }) => kind))];
  const shrunk = shrinks ? await shrinkPlan(simulator, plan, first.kind) : null;
  const shown = shrunk ?? { plan, violation: first, story };
  return [
    `seed ${seed} breaks ${violations.length} guarantees: ${kinds.join(', ')}`,
    ...describePlan(shown.plan),
    '',
    buildTimeline(shown.violation),
    '',
    ...shown.story.filter((each) => !each.includes('/control/')).slice(0, STORY_LINES),
    '',
    `again: npm run simulate -- --seed ${seed} --payments ${payments.length} --each ${payments.length} --climate ${climate}`,
  ];
}

function describePlan({ payments, faults, webs, workers }: WorldPlan): string[] {
  return [
    `with ${payments.length} payments on ${webs} web processes and ${workers} workers, and these faults:`,
    ...faults.map((fault) => `  ${JSON.stringify(fault)}`),
    'and these payments:',
    ...payments.map((payment) => `  ${JSON.stringify(payment)}`),
  ];
}

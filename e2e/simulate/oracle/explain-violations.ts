import { buildTimeline, type Violation } from '../../world/checker/violation.ts';
import type { Simulator } from '../run-world.ts';
import type { Climate } from '../world/plan.ts';
import type { WorldPlan } from '../world/world-plan.ts';
import { checkWorld } from './check-world.ts';
import { shrinkPlan } from './shrink-plan.ts';

const LOG_LINES = 200;

/** Report on a world that broke guarantees: which, the smallest plan found that still does, and what happened in order. */
export async function explainViolations(of: {
  readonly simulator: Simulator;
  readonly plan: WorldPlan;
  readonly climate: Climate;
  readonly violations: readonly Violation[];
  readonly log: readonly string[];
  readonly shrinks: boolean;
}): Promise<string[]> {
  const { simulator, plan, climate, violations, log, shrinks } = of;
  const { seed, payments } = plan;
  const theme = plan.theme === null ? '' : ` --theme ${plan.theme}`;
  const [first] = violations;
  if (first === undefined) return [];
  const kinds = [...new Set(violations.map(({ kind }) => kind))];
  const breaks = async (candidate: WorldPlan) => {
    const run = await simulator.run(candidate);
    const violation = checkWorld(run).find(({ kind }) => kind === first.kind);
    return violation === undefined ? null : { violation, log: run.log };
  };
  const shrunk = shrinks ? await shrinkPlan(plan, breaks) : null;
  const shown = shrunk?.broken ?? { violation: first, log };
  return [
    `seed ${seed} breaks ${violations.length} guarantees: ${kinds.join(', ')}`,
    ...describePlan(shrunk?.plan ?? plan),
    '',
    buildTimeline(shown.violation),
    '',
    ...shown.log.filter((each) => !each.includes('/control/')).slice(0, LOG_LINES),
    '',
    `again: npm run simulate -- --seed ${seed} --payments ${payments.length} --each ${payments.length} --climate ${climate}${theme}`,
  ];
}

function describePlan({ theme, payments, faults, outage, webs, workers }: WorldPlan): string[] {
  return [
    `about ${theme ?? 'everything'}, with ${payments.length} payments on ${webs} web processes and ${workers} workers, and these faults:`,
    ...faults.map((fault) => `  ${JSON.stringify(fault)}`),
    ...(outage === null ? [] : [`  while sessions end: ${JSON.stringify(outage)}`]),
    'and these payments:',
    ...payments.map((payment) => `  ${JSON.stringify(payment)}`),
  ];
}

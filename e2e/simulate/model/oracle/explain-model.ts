import { INVARIANTS } from '../../../world/checker/invariants.ts';
import { LINE_MAX, LINES_MAX, printHistory } from '../../oracle/report-lines.ts';
import { shrinkPlan } from '../../oracle/shrink-plan.ts';
import type { Line } from '../world/notes.ts';
import type { ModelPlan } from '../world/plan.ts';
import type { ModelRun } from '../world/run-model.ts';
import { checkModel } from './check-model.ts';
import type { ModelViolation } from './model-violation.ts';

const HEAD_LINES = 5;
const SHRINKING_RUNS_MAX = 300;

/** Runs a plan of the model, and records what happens where that is asked for. */
export type RunPlan = (plan: ModelPlan, records: boolean) => Promise<ModelRun>;

/** Report on a world that broke an invariant: which, and the history of one payment in the smallest world found that still breaks it. */
export async function explainModel(
  run: RunPlan,
  plan: ModelPlan,
  violations: readonly ModelViolation[],
  shrinks: boolean,
): Promise<string[]> {
  const [first] = violations;
  if (first === undefined) return [];
  const findSame = ({ observations }: ModelRun): ModelViolation | null =>
    checkModel(observations).find(({ kind }) => kind === first.kind) ?? null;
  const breaks = async (candidate: ModelPlan): Promise<ModelViolation | null> => findSame(await run(candidate, false));
  const shrunk = shrinks ? await shrinkPlan(plan, breaks, SHRINKING_RUNS_MAX) : null;
  const smallest = shrunk?.plan ?? plan;
  const recorded = await run(smallest, true);
  const shown = findSame(recorded) ?? first;
  const { seed, payments } = plan;
  const faults = smallest.faults.map(({ kind, lengthMs }) => `${kind} for ${Math.round(lengthMs / 1_000)} s`).join(', ');
  return [
    `seed ${seed} breaks ${[...new Set(violations.map(({ kind }) => kind))].join(', ')}`,
    INVARIANTS[shown.kind],
    `${shown.kind}: ${shown.what}`.slice(0, 2 * LINE_MAX),
    `in a world of ${smallest.payments.length} payments and these faults: ${faults || 'none'}`,
    ...printHistory(linesAbout(recorded.lines, shown), LINES_MAX - HEAD_LINES),
    `again: npm run simulate:model -- --seed ${seed} --payments ${payments.length} --each ${payments.length}`,
  ];
}

/** Lines about the payment of a violation, or about anything where it is of none. */
function linesAbout(lines: readonly Line[], { paymentId }: ModelViolation): readonly Line[] {
  if (paymentId === null) return lines;
  const prefix = `sy${paymentId.replaceAll('-', '')}`;
  return lines.filter(({ about }) => about === null || about === paymentId || about.startsWith(prefix));
}

import { shrinkPlan } from '../../oracle/shrink-plan.ts';
import type { Line } from '../world/notes.ts';
import type { ModelPlan } from '../world/plan.ts';
import type { ModelRun } from '../world/run-model.ts';
import { checkModel } from './check-model.ts';
import { INVARIANTS } from './invariants.ts';
import type { ModelViolation } from './model-violation.ts';

/** Most lines of a report. */
const LINES_MAX = 40;
const HEAD_LINES = 5;
const SHRINKING_RUNS_MAX = 300;
const LINE_MAX = 200;

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
    ...shorten(foldLines(linesAbout(recorded.lines, shown))),
    `again: npm run simulate:model -- --seed ${seed} --payments ${payments.length} --each ${payments.length}`,
  ];
}

/** Lines about the payment of a violation, or about anything where it is of none. */
function linesAbout(lines: readonly Line[], { paymentId }: ModelViolation): readonly Line[] {
  if (paymentId === null) return lines;
  const prefix = `sy${paymentId.replaceAll('-', '')}`;
  return lines.filter(({ about }) => about === null || about === paymentId || about.startsWith(prefix));
}

/** Lines as they are printed; what happens again and again is one. */
function foldLines(lines: readonly Line[]): string[] {
  const folded: { text: string; at: number; times: number }[] = [];
  for (const { at, text } of lines) {
    const last = folded.at(-1);
    if (last?.text === text) last.times += 1;
    else folded.push({ text, at, times: 1 });
  }
  return folded.map(({ text, at, times }) => `  ${clock(at)} ${text}${times > 1 ? ` (${times} times)` : ''}`.slice(0, LINE_MAX));
}

function shorten(lines: readonly string[]): readonly string[] {
  const most = LINES_MAX - HEAD_LINES;
  if (lines.length <= most) return lines;
  const end = Math.trunc(most / 2);
  const begin = most - end - 1;
  return [...lines.slice(0, begin), `  … ${lines.length - begin - end} lines …`, ...lines.slice(-end)];
}

/** Days, hours, minutes and seconds from the beginning of a world. */
function clock(ms: number): string {
  const seconds = Math.trunc(ms / 1_000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [days, hours, minutes] = [Math.trunc(seconds / 86_400), Math.trunc(seconds / 3_600) % 24, Math.trunc(seconds / 60) % 60];
  return `${days === 0 ? '' : `day ${days} `}${two(hours)}:${two(minutes)}:${two(seconds % 60)}.${String(Math.trunc(ms % 1_000)).padStart(3, '0')}`;
}

import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findViolations } from '../../world/checker/find-violations.ts';
import { buildTimeline, INVARIANTS, money, type Violation, violation } from '../../world/checker/violation.ts';
import type { Simulator, WorldRun } from '../run-world.ts';
import type { Climate } from '../world/plan.ts';
import type { WorldPlan } from '../world/world-plan.ts';
import { checkStaffWork } from './check-staff-work.ts';
import { findPaymentOf, historyOf, LINE_MAX, LINES_MAX, printHistory } from './payment-history.ts';

const HEAD_LINES = 7;

/**
 * Report on a world that broke guarantees, of at most {@link LINES_MAX} lines: the guarantee in a sentence, what contradicts it, and the history of
 * one payment in the smallest world found that still breaks it. The plan with every value and the whole log are written to a file.
 */
export async function explainViolations(of: {
  readonly simulator: Pick<Simulator, 'run'>;
  readonly plan: WorldPlan;
  readonly climate: Climate;
  readonly violations: readonly Violation[];
  readonly run: WorldRun;
  readonly shrinks: boolean;
}): Promise<string[]> {
  const { simulator, plan, climate, violations, run, shrinks } = of;
  const { seed, payments } = plan;
  const [first] = violations;
  if (first === undefined) return [];
  const breaks = async (candidate: WorldPlan) => {
    const again = await simulator.run(candidate);
    const violation = checkWorld(again).find(({ kind }) => kind === first.kind);
    return violation === undefined ? null : { violation, run: again };
  };
  const shrunk = shrinks ? await shrinkPlan(plan, breaks) : null;
  const smallest = shrunk?.plan ?? plan;
  const shown = shrunk?.broken ?? { violation: first, run };
  const file = findPaymentOf(shown.run, shown.violation);
  const theme = plan.theme === null ? '' : ` --theme ${plan.theme}`;
  return [
    `seed ${seed} breaks ${violations.length} guarantees: ${[...new Set(violations.map(({ kind }) => kind))].join(', ')}`,
    INVARIANTS[shown.violation.kind],
    inOneLine(`${shown.violation.kind}: ${shown.violation.what}`, 2 * LINE_MAX),
    inOneLine(describeWorld(smallest), LINE_MAX),
    ...(file === null
      ? []
      : [
          `payment ${file.payment.paymentId}, ${file.payment.merchantOrderId}, of ${money(file.payment.amount)} ${file.payment.currency}:`,
          ...printHistory(historyOf(shown.run, file), LINES_MAX - HEAD_LINES),
        ]),
    `everything that happened: ${keepWhole(smallest, shown)}`,
    `again: npm run simulate -- --seed ${seed} --payments ${payments.length} --each ${payments.length} --climate ${climate}${theme}`,
  ];
}

function describeWorld({ theme, payments, faults, outage, webs, workers }: WorldPlan): string {
  const kinds = faults.map(({ kind, lengthMs }) => `${kind} for ${Math.round(lengthMs / 1_000)} s`).join(', ');
  const late = outage === null ? '' : `, and ${outage.kind} while sessions end`;
  const about = theme === null ? '' : ` about ${theme}`;
  return `in a world${about} of ${payments.length} payments, ${webs} web processes and ${workers} workers, with these faults: ${kinds || 'none'}${late}`;
}

function inOneLine(text: string, most: number): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, most);
}

/** Writes everything that is known of a world to a file, and gives its path. */
function keepWhole(plan: WorldPlan, { violation, run }: { readonly violation: Violation; readonly run: WorldRun }): string {
  const path = join(tmpdir(), `switchyard-simulate-${plan.seed}-${process.pid}.log`);
  writeFileSync(path, [JSON.stringify(plan, null, 2), buildTimeline(violation), ...run.log, ''].join('\n'));
  return path;
}

/** A plan of which parts can be left out. */
interface Shrinkable {
  readonly payments: readonly unknown[];
  readonly faults: readonly unknown[];
  readonly outage: unknown;
}

/** Runs a plan; gives what it breaks of the guarantee in question, or null. */
export type Breaks<Plan, Broken> = (plan: Plan) => Promise<Broken | null>;

/** A plan that breaks the guarantee, and how. */
export interface Shrunk<Plan, Broken> {
  readonly plan: Plan;
  readonly broken: Broken;
}

const RUNS_MAX = 60;

/**
 * Leaves out payments and faults of a plan as long as what is left breaks the same guarantee: halves first, then smaller parts. Null when
 * not even the whole plan breaks it again, which means that something in the simulator depends on more than the seed.
 */
export async function shrinkPlan<Plan extends Shrinkable, Broken>(
  plan: Plan,
  breaks: Breaks<Plan, Broken>,
  runsMax = RUNS_MAX,
): Promise<Shrunk<Plan, Broken> | null> {
  let runs = 0;
  const attempt = async (candidate: Plan): Promise<Shrunk<Plan, Broken> | null> => {
    if (runs++ >= runsMax) return null;
    const broken = await breaks(candidate);
    return broken === null ? null : { plan: candidate, broken };
  };
  const whole = await attempt(plan);
  if (whole === null) return null;
  const calm = plan.outage === null ? null : await attempt({ ...plan, outage: null });
  const fewer = await leaveOut(calm ?? whole, 'payments', attempt);
  return leaveOut(fewer, 'faults', attempt);
}

/** Leaves out parts of one list: halves first, then ever smaller ones. */
async function leaveOut<Plan extends Shrinkable, Broken>(
  whole: Shrunk<Plan, Broken>,
  list: 'payments' | 'faults',
  attempt: (candidate: Plan) => Promise<Shrunk<Plan, Broken> | null>,
): Promise<Shrunk<Plan, Broken>> {
  let best = whole;
  for (let size = Math.ceil(best.plan[list].length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < best.plan[list].length; ) {
      const smaller = await attempt(without(best.plan, list, from, size));
      if (smaller === null) from += size;
      else best = smaller;
    }
  }
  return best;
}

function without<Plan extends Shrinkable>(plan: Plan, list: 'payments' | 'faults', from: number, size: number): Plan {
  const isKept = (_: unknown, at: number): boolean => at < from || at >= from + size;
  return list === 'payments'
    ? { ...plan, payments: plan.payments.filter(isKept) }
    : { ...plan, faults: plan.faults.filter(isKept) };
}

/** Checks what a world did against the invariants and the gateways' own records. */
export function checkWorld({ observations, verified, staffWork, unhandled }: WorldRun): Violation[] {
  return [
    ...findViolations({ ...observations, wrongRollups: verified.wrongRollups }),
    ...unhandled.map((what) => violation('process_ended', `a promise was rejected without a handler: ${what}`)),
    ...verified.decisions.map((what) => violation('decision_differs', what)),
    ...verified.otherPlans.map((what) => violation('plan_not_followed', what)),
    ...verified.chains.map((what) => violation('audit_chain_broken', what)),
    ...(staffWork === null ? [] : checkStaffWork(staffWork)),
  ];
}

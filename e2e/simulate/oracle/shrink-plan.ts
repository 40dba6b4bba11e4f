import type { Violation, ViolationKind } from '../../chaos/checker/violation.ts';
import type { Simulator } from '../run-world.ts';
import type { WorldPlan } from '../world/plan.ts';
import { checkWorld, STATEMENTS } from './check-world.ts';

/** The smallest plan that was found to break the guarantee, and how. */
export interface Shrunk {
  readonly plan: WorldPlan;
  readonly violation: Violation;
  readonly story: readonly string[];
}

const RUNS_MAX = 60;

/**
 * Leaves out payments and faults of a plan as long as what is left breaks the same guarantee: halves first, then smaller parts. Null when
 * not even the whole plan breaks it again, which means that something in the simulator depends on more than the seed.
 */
export async function shrinkPlan(simulator: Simulator, plan: WorldPlan, kind: ViolationKind): Promise<Shrunk | null> {
  let runs = 0;
  const breaks = async (candidate: WorldPlan): Promise<Shrunk | null> => {
    if (runs++ >= RUNS_MAX) return null;
    const run = await simulator.run(candidate, STATEMENTS);
    const violation = checkWorld(run).find((each) => each.kind === kind);
    return violation === undefined ? null : { plan: candidate, violation, story: run.story };
  };
  const whole = await breaks(plan);
  if (whole === null) return null;
  const fewer = await leaveOut(whole, 'payments', breaks);
  return leaveOut(fewer, 'faults', breaks);
}

/** Leaves out parts of one list: halves first, then ever smaller ones. */
async function leaveOut(
  whole: Shrunk,
  list: 'payments' | 'faults',
  breaks: (candidate: WorldPlan) => Promise<Shrunk | null>,
): Promise<Shrunk> {
  let best = whole;
  for (let size = Math.ceil(best.plan[list].length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < best.plan[list].length; ) {
      const smaller = await breaks(without(best.plan, list, from, size));
      if (smaller === null) from += size;
      else best = smaller;
    }
  }
  return best;
}

function without(plan: WorldPlan, list: 'payments' | 'faults', from: number, size: number): WorldPlan {
  const isKept = (_: unknown, at: number): boolean => at < from || at >= from + size;
  return list === 'payments'
    ? { ...plan, payments: plan.payments.filter(isKept) }
    : { ...plan, faults: plan.faults.filter(isKept) };
}

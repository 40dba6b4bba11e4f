import type { WorldPlan } from '../world/world-plan.ts';

/** Runs a plan; gives what it breaks of the guarantee in question, or null. */
export type Breaks<Broken> = (plan: WorldPlan) => Promise<Broken | null>;

/** A plan that breaks the guarantee, and how. */
export interface Shrunk<Broken> {
  readonly plan: WorldPlan;
  readonly broken: Broken;
}

const RUNS_MAX = 60;

/**
 * Leaves out payments and faults of a plan as long as what is left breaks the same guarantee: halves first, then smaller parts. Null when
 * not even the whole plan breaks it again, which means that something in the simulator depends on more than the seed.
 */
export async function shrinkPlan<Broken>(plan: WorldPlan, breaks: Breaks<Broken>): Promise<Shrunk<Broken> | null> {
  let runs = 0;
  const attempt = async (candidate: WorldPlan): Promise<Shrunk<Broken> | null> => {
    if (runs++ >= RUNS_MAX) return null;
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
async function leaveOut<Broken>(
  whole: Shrunk<Broken>,
  list: 'payments' | 'faults',
  attempt: (candidate: WorldPlan) => Promise<Shrunk<Broken> | null>,
): Promise<Shrunk<Broken>> {
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

function without(plan: WorldPlan, list: 'payments' | 'faults', from: number, size: number): WorldPlan {
  const isKept = (_: unknown, at: number): boolean => at < from || at >= from + size;
  return list === 'payments'
    ? { ...plan, payments: plan.payments.filter(isKept) }
    : { ...plan, faults: plan.faults.filter(isKept) };
}

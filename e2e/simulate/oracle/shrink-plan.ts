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

import type { Outage } from './calendar.ts';
import type { WeekHealth } from './health.ts';
import type { WeekPlan } from './plan.ts';
import type { Random } from './random.ts';

/** What all simulated payments share. */
export interface Simulation {
  readonly random: Random;
  readonly plan: WeekPlan;
  readonly outage: Outage;
  readonly health: WeekHealth;
}

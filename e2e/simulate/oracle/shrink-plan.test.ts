import { expect, test } from 'vitest';
import { planWorld } from '../world/plan.ts';
import type { WorldPlan } from '../world/world-plan.ts';
import { shrinkPlan } from './shrink-plan.ts';

const plan: WorldPlan = { ...planWorld(11, 20, 'rough'), outage: planWorld(11, 1, 'rough').outage };

function numbersOf({ payments }: WorldPlan): number[] {
  return payments.map(({ number }) => number);
}

test('a plan is left with the payments and the fault that break the guarantee together', async () => {
  const [, fault] = plan.faults;
  if (fault === undefined) throw new Error('the plan has too few faults');
  const breaks = async (candidate: WorldPlan) => {
    const numbers = numbersOf(candidate);
    return numbers.includes(4) && numbers.includes(17) && candidate.faults.includes(fault) ? 'both were paid' : null;
  };
  const shrunk = await shrinkPlan(plan, breaks);
  expect(shrunk?.broken).toBe('both were paid');
  expect(shrunk && numbersOf(shrunk.plan)).toEqual([4, 17]);
  expect(shrunk?.plan.faults).toEqual([fault]);
  expect(shrunk?.plan.outage).toBeNull();
});

test('a plan that breaks nothing the second time is not shrunk, and no plan is tried without end', async () => {
  expect(await shrinkPlan(plan, async () => null)).toBeNull();
  let runs = 0;
  await shrinkPlan(planWorld(3, 500, 'rough'), async ({ payments }) => (++runs > 0 && payments.length > 200 ? 'many' : null));
  expect(runs).toBeLessThanOrEqual(60);
});

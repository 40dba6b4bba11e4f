import { describe, expect, test } from 'vitest';
import { consistent } from '../../world/checker/recorded-fixtures.ts';
import type { WorldRun } from '../run-world.ts';
import { planWorld } from '../world/plan.ts';
import type { WorldPlan } from '../world/world-plan.ts';
import { checkWorld, shrinkPlan } from './explain-violations.ts';

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

const verified: WorldRun['verified'] = { decisions: [], otherPlans: [], chains: [], wrongRollups: [] };

/** A world in which nothing was wrong. */
const right: WorldRun = {
  observations: consistent,
  verified,
  staffWork: null,
  unhandled: [],
  digest: '',
  startMs: 0,
  virtualMs: 0,
  realMs: 0,
  cpuMs: 0,
  events: 0,
  statements: 0,
  log: [],
  crashes: 0,
};
const rollup = { table: 'payment_rollup', merchantId: 'm1', period: '2026-11-21 09:00:00+00', sum: 'counted 2' };

describe('the oracle', () => {
  test('finds nothing in a world in which nothing is wrong', () => {
    expect(checkWorld(right)).toEqual([]);
  });

  test.each<[string, string, Partial<WorldRun>]>([
    ['a decision that does not come out again', 'decision_differs', { verified: { ...verified, decisions: ['payment p1'] } }],
    ['another order of accounts', 'plan_not_followed', { verified: { ...verified, otherPlans: ['payment p1'] } }],
    ['a broken audit chain', 'audit_chain_broken', { verified: { ...verified, chains: ['entry 3'] } }],
    ['a roll-up that differs from its payments', 'report_sum_wrong', { verified: { ...verified, wrongRollups: [rollup] } }],
    ['a rejection without a handler', 'process_ended', { unhandled: ['Error: late'] }],
    ['what the checker of all runs finds', 'never_settled', { observations: { ...consistent, unfinished: '{"jobs":1}' } }],
  ])('finds %s', (_what, kind, change) => {
    expect(checkWorld({ ...right, ...change }).map((each) => each.kind)).toEqual([kind]);
  });
});

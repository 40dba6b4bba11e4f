import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type HealthFixture, openHealthFixture, timedOut, well } from '../testing/health-fixture.ts';
import { changeHealthThresholds } from '../thresholds/change-thresholds.ts';
import { errorBudget, readErrorBudgets } from './read-error-budgets.ts';

let fixture: HealthFixture;

beforeAll(async () => {
  fixture = await openHealthFixture();
});
afterAll(() => fixture.context.close());
beforeEach(() => fixture.begin());

test.each([
  // Ten may fail of 2,000 at 99.5 %: half of them did, and in the last hour as many as the budget allows.
  [0.995, { succeeded: 1_995, faulted: 5 }, { succeeded: 199, faulted: 1 }, { opened: 2_000, failed: 5, used: 0.5, burnRate: 1 }],
  [0.995, { succeeded: 960, faulted: 40 }, { succeeded: 0, faulted: 0 }, { opened: 1_000, failed: 40, used: 8, burnRate: null }],
  [0.99, { succeeded: 0, faulted: 0 }, { succeeded: 0, faulted: 0 }, { opened: 0, failed: 0, used: 0, burnRate: null }],
  [0.99, { succeeded: 90, faulted: 10 }, { succeeded: 5, faulted: 5 }, { opened: 100, failed: 10, used: 10, burnRate: 50 }],
] as const)('at a target of %d the budget of %j is used and burns as it should', (target, month, hour, expected) => {
  const { used, burnRate, ...counts } = errorBudget(target, month, hour);
  expect(counts).toMatchObject({ opened: expected.opened, failed: expected.failed });
  expect(used).toBeCloseTo(expected.used);
  if (expected.burnRate === null) expect(burnRate).toBeNull();
  else expect(burnRate).toBeCloseTo(expected.burnRate);
});

test('it counts 30 days of each method and of all together, and burns by the last hour', async () => {
  await fixture.see('paystack-main', well, 18);
  await fixture.see('paystack-main', timedOut, 2);
  fixture.later(2 * 3_600_000);
  await fixture.see('paystack-main', well, 9);
  await fixture.see('paystack-main', timedOut, 1);
  await fixture.context.health.tick();
  const budgets = await readErrorBudgets(fixture.context, { ...fixture.scope(), accountId: fixture.id('paystack-main') });
  expect(budgets.map(({ method, opened, failed, target }) => ({ method, opened, failed, target }))).toEqual([
    { method: null, opened: 30, failed: 3, target: 0.995 },
    { method: 'CARD', opened: 30, failed: 3, target: 0.995 },
  ]);
  expect(budgets[0]?.burnRate).toBeCloseTo(20);
  fixture.later(31 * 86_400_000);
  expect(await readErrorBudgets(fixture.context, { ...fixture.scope(), accountId: null })).toEqual([]);
});

test("the target is the merchant's", async () => {
  await fixture.see('paystack-main', timedOut, 1);
  const { merchantId } = fixture.merchant;
  const command = { merchantId, mode: 'test', changes: { openingTarget: 0.9 }, revision: 0, actor: 'staff:ada' } as const;
  await changeHealthThresholds(fixture.context, command);
  const [budget] = await readErrorBudgets(fixture.context, { ...fixture.scope(), accountId: null });
  expect(budget).toMatchObject({ target: 0.9, failed: 1 });
  expect(budget?.used).toBeCloseTo(10);
});

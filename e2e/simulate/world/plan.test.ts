import { expect, test } from 'vitest';
import { GATEWAYS } from '../../harness/gateways.ts';
import { gatewaysOf, itemsAt, MERCHANTS } from '../../world/plan/plan.ts';
import { planWorld } from './plan.ts';
import { FAULT_GROUPS, THEMES } from './world-plan.ts';

const plans = Array.from({ length: 400 }, (_, seed) => planWorld(seed, 10, 'rough'));

test('a world is the same for the same seed, and another for every other', () => {
  expect(planWorld(7, 12, 'rough')).toEqual(planWorld(7, 12, 'rough'));
  const drawn = plans.map(({ seed: _, payments, ...rest }) =>
    JSON.stringify([rest, payments.map(({ merchantOrderId: __, ...payment }) => payment)]),
  );
  expect(new Set(drawn).size).toBe(plans.length);
});

test('every kind of fault is drawn', () => {
  const drawn = new Set(
    plans.flatMap(({ faults, outage }) => [...faults, ...(outage === null ? [] : [outage])].map(({ kind }) => kind)),
  );
  expect(FAULT_GROUPS.flat().filter((kind) => !drawn.has(kind))).toEqual([]);
});

test('every gateway is drawn, with and without each of its quirks', () => {
  for (const gateway of GATEWAYS) {
    const own = plans.filter(({ merchants }) => gatewaysOf(itemsAt(MERCHANTS, merchants)).includes(gateway));
    expect(own.length).toBeGreaterThan(plans.length / 3);
    expect(own.length).toBeLessThan(plans.length);
    const quirks = own.map((plan) => plan.quirks[gateway]);
    expect(new Set(quirks.map(({ webhooks }) => webhooks)).size).toBe(2);
    expect(new Set(quirks.map(({ transferMs }) => transferMs)).size).toBe(4);
    expect(new Set(quirks.map(({ refundMs }) => refundMs)).size).toBe(4);
  }
});

test('half of the worlds are about one thing, each as many as another; the plan of such a world has nothing but its seed', () => {
  for (const theme of THEMES) {
    const own = plans.filter((plan) => plan.theme === theme);
    expect(own.length).toBeGreaterThan(plans.length / 40);
    for (const plan of own) expect(planWorld(plan.seed, 10, 'rough', theme)).toEqual(plan);
  }
  expect(plans.filter(({ theme }) => theme === null).length).toBeGreaterThan(plans.length / 3);
});

test('a calm world has no faults', () => {
  for (const seed of [1, 2, 3]) {
    const { faults, outage } = planWorld(seed, 10, 'calm');
    expect([faults, outage]).toEqual([[], null]);
  }
});

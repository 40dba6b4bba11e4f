import { expect, test } from 'vitest';
import { planWorld, SIMULATED_FAULTS } from './plan.ts';

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
  expect([...SIMULATED_FAULTS].filter((kind) => !drawn.has(kind))).toEqual([]);
});

test('a calm world has no faults', () => {
  for (const seed of [1, 2, 3]) {
    const { faults, outage } = planWorld(seed, 10, 'calm');
    expect([faults, outage]).toEqual([[], null]);
  }
});

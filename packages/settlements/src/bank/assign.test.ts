import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assignCheapest } from './assign.ts';

/** Costs by left and right; null where they may not be paired. */
type Costs = readonly (readonly (number | null)[])[];

const assign = (costs: Costs) =>
  assignCheapest([...costs.keys()], (left) =>
    (costs[left] ?? []).flatMap((cost, right) => (cost === null ? [] : [{ right, cost: BigInt(cost) }])),
  );

/** The best of all pairings: as many as can be, then at the least cost. */
function bestOfAll(costs: Costs, left: number, taken: ReadonlySet<number>): { readonly count: number; readonly cost: number } {
  if (left === costs.length) return { count: 0, cost: 0 };
  const all = [bestOfAll(costs, left + 1, taken)];
  for (const [right, cost] of (costs[left] ?? []).entries()) {
    if (cost === null || taken.has(right)) continue;
    const rest = bestOfAll(costs, left + 1, new Set([...taken, right]));
    all.push({ count: rest.count + 1, cost: rest.cost + cost });
  }
  return all.reduce((a, b) => (b.count > a.count || (b.count === a.count && b.cost < a.cost) ? b : a));
}

test('as many are paired as a search of every pairing finds, each once, and at as little cost', () => {
  const cost = fc.option(fc.integer({ min: 0, max: 9 }), { freq: 2 });
  const costs = fc
    .integer({ min: 0, max: 5 })
    .chain((rights) => fc.array(fc.array(cost, { minLength: rights, maxLength: rights }), { maxLength: 5 }));
  fc.assert(
    fc.property(costs, (given) => {
      const pairs = assign(given);
      expect(new Set(pairs.map(([left]) => left)).size).toBe(pairs.length);
      expect(new Set(pairs.map(([, right]) => right)).size).toBe(pairs.length);
      const sum = pairs.reduce((total, [left, right]) => total + (given[left]?.[right] ?? Number.NaN), 0);
      expect({ count: pairs.length, cost: sum }).toEqual(bestOfAll(given, 0, new Set()));
    }),
    { numRuns: 1_000 },
  );
});

test('where thousands compete each is still paired once at most', () => {
  const lefts = Array.from({ length: 2_000 }, (_, at) => at);
  const pairs = assignCheapest(lefts, (left) => [0, 1, 2].map((more) => ({ right: left + more, cost: BigInt(more) })));
  expect(pairs).toHaveLength(lefts.length);
  expect(new Set(pairs.map(([, right]) => right)).size).toBe(lefts.length);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FAULT_KINDS } from './faults.ts';
import { makePlan } from './plan.ts';
import { createRng } from './rng.ts';

const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 });
const sizes = fc.record({
  payments: fc.integer({ min: 1, max: 400 }),
  rounds: fc.integer({ min: 1, max: 5 }),
  roundMs: fc.integer({ min: 8_000, max: 40_000 }),
});

describe('a plan', () => {
  test('is the same for the same seed, and another for another', () => {
    fc.assert(
      fc.property(seeds, sizes, (seed, size) => {
        expect(makePlan(seed, size)).toEqual(makePlan(seed, size));
        expect(makePlan(seed + 1, size)).not.toEqual(makePlan(seed, size));
      }),
      { numRuns: 30 },
    );
  });

  test('has every kind of fault and the requested number of payments, each under an order id of its own', () => {
    fc.assert(
      fc.property(seeds, sizes, (seed, size) => {
        const { rounds } = makePlan(seed, size);
        const kinds = new Set(rounds.flatMap(({ faults }) => faults.map(({ kind }) => kind)));
        expect(FAULT_KINDS.filter((kind) => !kinds.has(kind))).toEqual([]);
        const orders = rounds.flatMap(({ payments }) => payments.map(({ merchantOrderId }) => merchantOrderId));
        expect([orders.length, new Set(orders).size]).toEqual([size.payments, size.payments]);
      }),
      { numRuns: 50 },
    );
  });

  test('keeps payments and faults within their round', () => {
    fc.assert(
      fc.property(seeds, sizes, (seed, size) => {
        for (const { payments, faults } of makePlan(seed, size).rounds) {
          expect(payments.every(({ startMs }) => startMs >= 0 && startMs < size.roundMs)).toBe(true);
          expect(faults.every(({ atMs, lengthMs }) => atMs >= 0 && lengthMs > 0 && atMs + lengthMs <= size.roundMs)).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('the generator', () => {
  test('is independent of its forks, and they of it', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 0, max: 20 }), (seed, drawn) => {
        const one = createRng(seed);
        const other = createRng(seed);
        for (let n = 0; n < drawn; n += 1) one.fork('aside').next();
        expect(one.next()).toBe(other.next());
        expect(one.fork('a').next()).toBe(other.fork('a').next());
        expect(one.fork('a').next()).not.toBe(one.fork('b').next());
      }),
    );
  });

  test('draws each name about as often as its weight', () => {
    const rng = createRng(7);
    const counts = { often: 0, seldom: 0 };
    for (let n = 0; n < 10_000; n += 1) counts[rng.weighted({ often: 3, seldom: 1 })] += 1;
    expect(counts.often / 10_000).toBeCloseTo(0.75, 1);
  });
});

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

  test('has every kind of fault and the requested number of payments, each under an order id of its own, within their round', () => {
    fc.assert(
      fc.property(seeds, sizes, (seed, size) => {
        const { rounds } = makePlan(seed, size);
        const faults = rounds.flatMap((round) => round.faults);
        const payments = rounds.flatMap((round) => round.payments);
        const kinds = new Set(faults.map(({ kind }) => kind));
        expect(FAULT_KINDS.filter((kind) => !kinds.has(kind))).toEqual([]);
        const orders = new Set(payments.map(({ merchantOrderId }) => merchantOrderId));
        expect([payments.length, orders.size]).toEqual([size.payments, size.payments]);
        expect(payments.every(({ startMs }) => startMs >= 0 && startMs < size.roundMs)).toBe(true);
        expect(faults.every(({ atMs, lengthMs }) => atMs >= 0 && lengthMs > 0 && atMs + lengthMs <= size.roundMs)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});

test('names are drawn about as often as their weight', () => {
  const rng = createRng(7);
  const drawn = Array.from({ length: 10_000 }, () =>
    rng.weighted([
      ['often', 3],
      ['seldom', 1],
    ]),
  );
  expect(drawn.filter((name) => name === 'often').length / drawn.length).toBeCloseTo(0.75, 1);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FAULT_KINDS, planChaos } from './plan.ts';

const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 });
const sizes = fc.record({ payments: fc.integer({ min: 1, max: 400 }), rate: fc.integer({ min: 1, max: 50 }) });

test('a plan is the same for the same seed, and another for another', () => {
  fc.assert(
    fc.property(seeds, sizes, (seed, size) => {
      expect(planChaos(seed, size)).toEqual(planChaos(seed, size));
      expect(planChaos(seed + 1, size)).not.toEqual(planChaos(seed, size));
    }),
    { numRuns: 30 },
  );
});

test('a plan has every kind of fault and the requested number of payments, each under an order id of its own, in the busy time', () => {
  fc.assert(
    fc.property(seeds, sizes, (seed, size) => {
      const { faults, payments } = planChaos(seed, size);
      const kinds = new Set(faults.map(({ kind }) => kind));
      expect(FAULT_KINDS.filter((kind) => !kinds.has(kind))).toEqual([]);
      const orders = new Set(payments.map(({ merchantOrderId }) => merchantOrderId));
      expect([payments.length, orders.size]).toEqual([size.payments, size.payments]);
      const busyMs = Math.ceil((size.payments / size.rate) * 1_000);
      expect([...payments.map(({ startMs }) => startMs), ...faults.map(({ atMs }) => atMs)].every((at) => at < busyMs)).toBe(
        true,
      );
      expect(faults.every(({ lengthMs }) => lengthMs > 0)).toBe(true);
    }),
    { numRuns: 50 },
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { layOutFlow } from './flow-diagram.tsx';

const account = fc.constantFrom('paystack', 'flutterwave', 'third', null);
const moves = fc.uniqueArray(fc.record({ from: account, to: account, payments: fc.integer({ min: 1, max: 100_000 }) }), {
  minLength: 1,
  selector: ({ from, to }) => `${from}>${to}`,
});

test('every band begins and ends within its account, beside the others and not on them', () => {
  fc.assert(
    fc.property(moves, (given) => {
      const { left, right, links, height } = layOutFlow(given, 200);
      expect(links).toHaveLength(given.length);
      for (const [nodes, end, middle] of [
        [left, 'from', 'fromY'],
        [right, 'to', 'toY'],
      ] as const) {
        for (const node of nodes) {
          const own = links.filter((link) => link[end] === node.accountId).sort((one, other) => one[middle] - other[middle]);
          expect(own.reduce((sum, { payments }) => sum + payments, 0)).toBe(node.payments);
          let edge = node.y;
          for (const link of own) {
            expect(link[middle] - link.thickness / 2).toBeCloseTo(edge, 6);
            edge = link[middle] + link.thickness / 2;
          }
          expect(edge).toBeCloseTo(node.y + node.height, 6);
          expect(edge).toBeLessThanOrEqual(height + 1e-6);
        }
        for (const [at, node] of nodes.entries()) {
          const above = nodes[at - 1];
          if (above) expect(node.y).toBeGreaterThan(above.y + above.height);
        }
      }
    }),
  );
});

test('without moves there is nothing to draw', () => {
  expect(layOutFlow([], 200)).toEqual({ height: 0, left: [], right: [], links: [] });
});

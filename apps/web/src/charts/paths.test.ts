import fc from 'fast-check';
import { expect, test } from 'vitest';
import { barPath, linePath, stepPath } from './paths.ts';

test('drawings leave gaps where there are no observations', () => {
  expect(linePath([1, null, 0], { min: 0, max: 1 }, 10)).toBe('M0 0L0.5 0L1 0M2 10L2.5 10L3 10');
  expect(barPath([0, 5], 10, 20)).toBe('M1.12 20v-10h0.76v10z');
  expect(barPath([0, 0], 0, 20)).toBe('');
});

test('steps are as wide as bars', () => {
  expect(stepPath([5, 10], 10, 20)).toBe('M0 10H1V0H2');
  expect(stepPath([0], 0, 20)).toBe('');
});

const values = fc.array(fc.nat(1_000), { minLength: 1, maxLength: 40 });
const HEIGHT = 50;

test('bars stand within the drawing, one for each value that is not nothing, at its place', () => {
  fc.assert(
    fc.property(values, (bars) => {
      const path = barPath(bars, Math.max(...bars), HEIGHT);
      const drawn = [...path.matchAll(/M([\d.]+) ([\d.]+)v-([\d.]+)h0\.76v\3z/g)];
      expect(drawn.map(([, x]) => Math.floor(Number(x)))).toEqual(bars.flatMap((value, at) => (value > 0 ? [at] : [])));
      for (const [, , foot, height] of drawn) {
        expect(Number(foot)).toBe(HEIGHT);
        expect(Number(height)).toBeGreaterThanOrEqual(1.5);
        expect(Number(height)).toBeLessThanOrEqual(HEIGHT);
      }
    }),
  );
});

test('a line has a piece for each run of values, and stays within the drawing whatever its limits', () => {
  const gaps = fc.array(fc.option(fc.integer({ min: -50, max: 150 })), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(gaps, (points) => {
      const path = linePath(points, { min: 0, max: 100 }, HEIGHT);
      const runs = points.filter((value, at) => value !== null && (points[at - 1] ?? null) === null).length;
      expect(path.split('M').length - 1).toBe(runs);
      for (const [, y] of path.matchAll(/[ML][\d.]+ (-?[\d.]+)/g)) {
        expect(Number(y)).toBeGreaterThanOrEqual(0);
        expect(Number(y)).toBeLessThanOrEqual(HEIGHT);
      }
    }),
  );
});

test('steps end where the last bar ends', () => {
  fc.assert(
    fc.property(values, (steps) => {
      fc.pre(Math.max(...steps) > 0);
      expect(stepPath(steps, Math.max(...steps), HEIGHT).endsWith(`H${steps.length}`)).toBe(true);
    }),
  );
});

test('equal limits draw a flat line', () => {
  expect(linePath([5, 5], { min: 5, max: 5 }, 10)).toBe('M0 10L0.5 10L1.5 10L2 10');
});

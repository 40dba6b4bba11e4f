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

import { describe, expect, test } from 'vitest';
import type { Round } from './round.ts';
import { median, servingCpuUs, summarise } from './summary.ts';

function round(perSecond: number, cpuUs: Round['cpuUs'], latency: Round['latency'] = null): Round {
  const postgres = { walBytes: perSecond, walPageBytes: null, commits: 2, statements: 3, longest: [] };
  return { operations: 10 * perSecond, perSecond, latency, answerBytes: null, cpuUs, postgres, settled: true };
}

describe('the median', () => {
  test.each([
    [[3, 1, 2], 2],
    [[4, 1, 2, 3], 2.5],
    [[7], 7],
  ])('of %j is %d', (values, expected) => expect(median(values)).toBe(expected));

  test('of nothing is not a number', () => expect(median([])).toBeNaN());
});

test('ratios are those of pairs, so that what slows down both sides of one pair changes nothing', () => {
  const pairs = [
    { product: round(50, { web: 10 }), floor: round(100, { floor: 5 }) },
    { product: round(5, { web: 100 }), floor: round(10, { floor: 50 }) },
    { product: round(90, { web: 12 }), floor: round(100, { floor: 5 }) },
  ];
  const { ratio, cpuRatio, product, floor } = summarise(pairs);
  expect(ratio).toBe(0.5);
  expect(cpuRatio).toBe(2);
  expect(product.perSecond).toBe(50);
  expect(floor.perSecond).toBe(100);
  expect(product.cpuUs).toEqual({ web: 12 });
});

test('the client and the gateway serve nothing, and a process that cannot be read makes the sum unknown', () => {
  expect(servingCpuUs({ web: 3, postgres: 4, generator: 50, gateway: 60 })).toBe(7);
  expect(servingCpuUs({ web: 3, postgres: null })).toBeNull();
});

test('latency has the median of each percentile', () => {
  const latency = (p50: number) => ({ p50, p99: 2 * p50, max: 3 * p50 });
  const pairs = [5, 1, 3].map((p50) => ({ product: round(1, {}, latency(p50)), floor: round(1, {}) }));
  expect(summarise(pairs).product.latency).toEqual({ p50: 3, p99: 6, max: 9 });
  expect(summarise(pairs).floor.latency).toBeNull();
});

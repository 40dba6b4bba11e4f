import { describe, expect, it } from 'vitest';
import { estimateEarned, weightedSum, wilson } from './replay-conversion.ts';

describe('intervals of proportions', () => {
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])("are Wilson's: %i of %i is %f to %f", (successes, trials, low, high) => {
    const interval = wilson(successes, trials);
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  it.each([
    [56, 70, 48, 80, 0.0524, 0.3339],
    [9, 10, 3, 10, 0.1705, 0.809],
    [10, 10, 0, 20, 0.6791, 1],
  ])("of a difference are Newcombe's: %i of %i less %i of %i is %f to %f", (a, m, b, n, low, high) => {
    const interval = weightedSum([
      { weight: 1, successes: a, trials: m },
      { weight: -1, successes: b, trials: n },
    ]);
    expect(interval.estimate).toBeCloseTo(a / m - b / n, 10);
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  it('without observations is the whole range', () => {
    expect(wilson(0, 0)).toMatchObject({ low: 0, high: 1 });
    expect(weightedSum([])).toEqual({ estimate: 0, low: 0, high: 0 });
  });
});

describe('what a draft would have earned', () => {
  const observed = new Map([
    ['CARD|a', { paid: 80, all: 100 }],
    ['CARD|b', { paid: 90, all: 100 }],
    ['CARD|c', { paid: 1, all: 2 }],
  ]);
  const flow = { currency: 'NGN', method: 'CARD', payments: 10 };

  it('is what is left of amounts after fees, times the success of the accounts, with an interval', () => {
    const [earned] = estimateEarned(observed, [{ ...flow, from: 'a', to: 'b', net: { from: 1_000_000, to: 990_000 } }]);
    expect(earned).toMatchObject({ currency: 'NGN', difference: 91_000, covered: 10, uncovered: 0 });
    expect(earned?.low).toBeLessThan(0);
    expect(earned?.high).toBeGreaterThan(180_000);
    expect(earned?.message).toContain('this would have earned NGN 910.00 more after fees on these payments, between NGN -');
  });

  it('leaves out payments without a fee, and of accounts that served few', () => {
    const flows = [
      { ...flow, from: 'a', to: 'b', net: null },
      { ...flow, from: 'a', to: 'c', net: { from: 1, to: 1 } },
    ];
    expect(estimateEarned(observed, flows)).toMatchObject([{ difference: 0, covered: 0, uncovered: 20 }]);
    expect(estimateEarned(observed, [])).toEqual([]);
  });
});

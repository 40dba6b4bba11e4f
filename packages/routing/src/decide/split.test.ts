import { describe, expect, it } from 'vitest';
import { paymentIds } from '../testing/samples.ts';
import { drawOf, drawOrder, fallsWithin } from './split.ts';

const ids = paymentIds(100_000);
const DRAW_OF_SAMPLE = 0.45376938045956194;
/** Orders of five members of equal weight, for the first three sample ids. */
const ORDERS_OF_SAMPLES = ['ecbad', 'dbeac', 'ebcad'];

/** Chi-square of the draws over 100 equal buckets; 99 degrees of freedom, so 149 leaves one chance in a thousand. */
function chiSquare(salt: string): number {
  const buckets = new Array<number>(100).fill(0);
  for (const id of ids) {
    const bucket = Math.floor(drawOf(id, salt) * 100);
    buckets[bucket] = (buckets[bucket] ?? 0) + 1;
  }
  const expected = ids.length / 100;
  return buckets.reduce((sum, seen) => sum + (seen - expected) ** 2 / expected, 0);
}

describe('the draw of a payment id', () => {
  it('is uniform over ids that share a prefix', () => {
    expect(chiSquare('split:0')).toBeLessThan(149);
    expect(chiSquare('explore')).toBeLessThan(149);
    expect(chiSquare('probe:paystack-main')).toBeLessThan(149);
  });

  it('is independent between salts', () => {
    const half = ids.filter((id) => drawOf(id, 'split:0') < 0.5);
    const both = half.filter((id) => drawOf(id, 'explore') < 0.5);
    expect(both.length / half.length).toBeCloseTo(0.5, 2);
  });

  it('selects no payment at 0 percent and every payment at 100', () => {
    expect(ids.some((id) => fallsWithin(id, 'probe', 0))).toBe(false);
    expect(ids.every((id) => fallsWithin(id, 'probe', 100))).toBe(true);
  });

  it('never changes, so that a stored decision can be computed again in years', () => {
    expect(drawOf('0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10', 'split:0')).toBe(DRAW_OF_SAMPLE);
  });
});

describe('an order drawn by weight', () => {
  const members = [
    { member: 'a', weight: 70 },
    { member: 'b', weight: 20 },
    { member: 'c', weight: 10 },
    { member: 'd', weight: 0 },
  ];

  it('puts each member first in its share of payments, and one of weight 0 always last', () => {
    const orders = ids.map((id) => drawOrder(members, id));
    expect(orders.filter((order) => order.length !== 4 || order[3] !== 'd')).toEqual([]);
    const share = (member: string) => orders.filter(([first]) => first === member).length / ids.length;
    expect(share('a')).toBeCloseTo(0.7, 2);
    expect(share('b')).toBeCloseTo(0.2, 2);
    expect(share('c')).toBeCloseTo(0.1, 2);
  });

  it('distributes the share of an ineligible member to the others in proportion, and moves no other payment', () => {
    let toB = 0;
    let moved = 0;
    for (const id of ids) {
      const order = drawOrder(members, id);
      if (order[0] !== 'a') continue;
      moved += 1;
      if (order[1] === 'b') toB += 1;
    }
    expect(toB / moved).toBeCloseTo(2 / 3, 2);
  });

  it('never changes either', () => {
    const even = ['a', 'b', 'c', 'd', 'e'].map((member) => ({ member, weight: 20 }));
    expect(paymentIds(3).map((id) => drawOrder(even, id).join(''))).toEqual(ORDERS_OF_SAMPLES);
  });
});

import { expect, test } from 'vitest';
import { drawsFor } from './rng.ts';

test('names are drawn about as often as their weight', () => {
  const draws = drawsFor(7, 'names');
  const drawn = Array.from({ length: 10_000 }, () =>
    draws.weighted([
      ['often', 3],
      ['seldom', 1],
    ]),
  );
  expect(drawn.filter((name) => name === 'often').length / drawn.length).toBeCloseTo(0.75, 1);
});

test('draws for one purpose are the same for the same seed, and others for another purpose', () => {
  const draw = (seed: number, purpose: string): number[] => {
    const draws = drawsFor(seed, purpose);
    return Array.from({ length: 20 }, () => draws.between(0, 1_000_000));
  };
  expect(draw(7, 'faults')).toEqual(draw(7, 'faults'));
  expect(draw(7, 'payments')).not.toEqual(draw(7, 'faults'));
  expect(draw(8, 'faults')).not.toEqual(draw(7, 'faults'));
});

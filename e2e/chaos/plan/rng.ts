import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { mersenne } from 'pure-rand/generator/mersenne';

/** A random generator with the same draws for the same seed. */
export interface Rng {
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly [T, ...T[]]): T;
  /** One of the names, each in proportion to its weight. */
  weighted<T extends string>(weights: readonly (readonly [T, number])[]): T;
  shuffled<T>(items: readonly T[]): T[];
}

export function createRng(seed: number): Rng {
  const generator = mersenne(seed);
  const next = (): number => uniformFloat64(generator);
  const between = (low: number, high: number): number => uniformInt(generator, low, high);
  return {
    between,
    chance: (probability) => next() < probability,
    pick: (from) => from[between(0, from.length - 1)] ?? from[0],
    weighted(weights) {
      let left = next() * weights.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of weights) {
        left -= weight;
        if (left < 0) return name;
      }
      throw new Error('there is nothing to draw from');
    },
    shuffled(items) {
      const left = [...items];
      return items.flatMap(() => left.splice(between(0, left.length - 1), 1));
    },
  };
}

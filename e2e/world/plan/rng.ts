import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { mersenne } from 'pure-rand/generator/mersenne';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

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

/** Draws for one purpose, independent of those for others of the same seed. */
export function drawsFor(seed: number, purpose: string): Rng {
  const generator = generatorFor(seed, purpose);
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

/** The generator behind the draws for one purpose. */
export function generatorFor(seed: number, purpose: string): RandomGenerator {
  return mersenne(hash(`${seed}/${purpose}`));
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return value | 0;
}

import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/** Random numbers of one payment or one part of a world: the same for the same seed, whatever else is drawn. */
export class Draws {
  private readonly generator: RandomGenerator;

  constructor(seed: number, part: number) {
    this.generator = xoroshiro128plus(Math.imul(seed, 0x9e3779b1) ^ Math.imul(part + 1, 0x85ebca6b));
    this.generator.next();
    this.generator.next();
  }

  /** In [0, 1). */
  next(): number {
    return (this.generator.next() >>> 0) / 0x1_0000_0000;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /** As `between`, where each order of magnitude is as likely as another. */
  spread(low: number, high: number): number {
    return Math.round(low * (high / low) ** this.next());
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[Math.floor(this.next() * from.length)] ?? from[0];
  }

  /** One of the names, each in proportion to its weight of a hundred. */
  weighted<T extends string>(weights: readonly (readonly [T, number])[], otherwise: T): T {
    let left = this.next() * 100;
    for (const [name, weight] of weights) {
      left -= weight;
      if (left < 0) return name;
    }
    return otherwise;
  }
}

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** The beginning of every world. */
export const BEGIN = Date.UTC(2026, 10, 20, 14);

/** The time of day so many milliseconds after the beginning. */
export function timeAt(ms: number): Date {
  return new Date(BEGIN + ms);
}

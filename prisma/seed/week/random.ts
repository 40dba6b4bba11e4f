import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { mersenne } from 'pure-rand/generator/mersenne';

/** Pseudo-random numbers, reproducible by seed. */
export interface Random {
  /** At least 0, less than 1. */
  next(): number;
  /** Both ends inclusive. */
  int(from: number, to: number): number;
  chance(share: number): boolean;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  /** Around 0, with a deviation of 1. */
  normal(): number;
  /** A UUIDv7 of a moment, in epoch milliseconds. */
  id(at: number): string;
  text(length: number, alphabet: string): string;
}

export function seededRandom(seed: number): Random {
  const generator = mersenne(seed);
  const next = (): number => uniformFloat64(generator);
  const int = (from: number, to: number): number => uniformInt(generator, from, to);
  const hex = (digits: number): string =>
    int(0, 16 ** digits - 1)
      .toString(16)
      .padStart(digits, '0');
  return {
    next,
    int,
    chance: (share) => next() < share,
    pick: (items) => items[int(0, items.length - 1)] ?? items[0],
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    id(at) {
      const time = Math.floor(at).toString(16).padStart(12, '0');
      return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-${(0x8000 + int(0, 0x3fff)).toString(16)}-${hex(6)}${hex(6)}`;
    },
    text: (length, alphabet) => Array.from({ length }, () => alphabet.charAt(int(0, alphabet.length - 1))).join(''),
  };
}

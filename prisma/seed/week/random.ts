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

/** Mulberry32: 32 bits of state are plenty for a demo. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  const text = (length: number, alphabet: string): string =>
    Array.from({ length }, () => alphabet.charAt(int(0, alphabet.length - 1))).join('');
  const hex = (digits: number): string =>
    Math.floor(next() * 16 ** digits)
      .toString(16)
      .padStart(digits, '0');
  return {
    next,
    int,
    text,
    chance: (share) => next() < share,
    pick: (items) => items[int(0, items.length - 1)] ?? items[0],
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    id(at) {
      const time = Math.floor(at).toString(16).padStart(12, '0');
      const variant = 0x8000 + int(0, 0x3fff);
      return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-${variant.toString(16)}-${hex(6)}${hex(6)}`;
    },
  };
}

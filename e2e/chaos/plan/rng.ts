/** A random generator with the same draws for the same seed. */
export interface Rng {
  /** In [0, 1). */
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly [T, ...T[]]): T;
  /** One of the names, each in proportion to its weight. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T;
  shuffled<T>(items: readonly T[]): T[];
  /** An independent generator: its draws do not depend on how much was drawn from this one. */
  fork(name: string): Rng;
}

export function createRng(seed: number): Rng {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 4_294_967_296;
  };
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: (from) => from[Math.floor(next() * from.length)] ?? from[0],
    weighted(weights) {
      const names = namesOf(weights);
      let left = next() * names.reduce((sum, name) => sum + weights[name], 0);
      for (const name of names) {
        left -= weights[name];
        if (left < 0) return name;
      }
      throw new Error('there is nothing to draw from');
    },
    shuffled(items) {
      const left = [...items];
      const out = [];
      while (left.length > 0) out.push(...left.splice(between(0, left.length - 1), 1));
      return out;
    },
    fork: (name) => createRng(hash(name, seed)),
  };
}

/** A number for a text, well spread, the same for the same seed. */
export function hash(text: string, seed: number): number {
  let value = (seed ^ 0x811c9dc5) >>> 0;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return value;
}

function namesOf<T extends string>(weights: Readonly<Record<T, number>>): T[] {
  const names: T[] = [];
  for (const name in weights) names.push(name);
  return names;
}

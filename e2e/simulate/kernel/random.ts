import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { createRng, type Rng } from '../../chaos/plan/rng.ts';

/** Draws for one purpose, independent of those for others of the same seed. */
export function drawsFor(seed: number, purpose: string): Rng {
  return createRng(hash(seed, purpose));
}

/** Random numbers as a program gets them from its platform. */
export interface PlatformRandom {
  /** In [0, 1). */
  number(): number;
  fill(bytes: Uint8Array): void;
}

export function platformRandom(seed: number, purpose: string): PlatformRandom {
  const generator = xoroshiro128plus(hash(seed, purpose));
  return {
    number: () => uniformFloat64(generator),
    fill(bytes) {
      let word = 0;
      for (let at = 0; at < bytes.length; at++) {
        word = at % 4 === 0 ? generator.next() : word >> 8;
        bytes[at] = word & 0xff;
      }
    },
  };
}

/** FNV-1a over both. */
function hash(seed: number, purpose: string): number {
  let value = 0x811c9dc5;
  for (const character of `${seed}/${purpose}`) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return value | 0;
}

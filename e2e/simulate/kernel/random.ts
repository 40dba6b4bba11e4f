import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { generatorFor } from '../../world/plan/rng.ts';

/** Random numbers as a program gets them from its platform. */
export interface PlatformRandom {
  /** In [0, 1). */
  number(): number;
  fill(bytes: Uint8Array): void;
}

export function platformRandom(seed: number, purpose: string): PlatformRandom {
  const generator = generatorFor(seed, purpose);
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

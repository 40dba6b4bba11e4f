import type { RefObject } from 'react';

/** What is taken hold of, and what moves with it. */
export interface Grip {
  readonly entry: RefObject<HTMLLIElement | null>;
  readonly handle: RefObject<HTMLButtonElement | null>;
}

import type { RefObject } from 'react';

/** The drag handle, and the element that moves with it. */
export interface DragHandle {
  readonly entry: RefObject<HTMLLIElement | null>;
  readonly handle: RefObject<HTMLButtonElement | null>;
}

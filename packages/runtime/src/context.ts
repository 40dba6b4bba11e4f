import type { Resources } from './resources.ts';

/** Dependencies of use cases: the process's open resources, the clock and new ids. */
export interface RuntimeContext {
  readonly resources: Resources;
  readonly now: () => Date;
  readonly newId: () => string;
}

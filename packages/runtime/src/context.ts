import type { Resources } from './resources.ts';

/** Dependencies of use cases: of the process's open resources those that are named, or all; the clock and new ids. */
export interface RuntimeContext<Needed extends keyof Resources = keyof Resources> {
  readonly resources: Pick<Resources, Needed>;
  readonly now: () => Date;
  readonly newId: () => string;
}

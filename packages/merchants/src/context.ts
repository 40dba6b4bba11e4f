import type { Resources } from './configuration/resources.ts';

/** Dependencies of every use case of merchants: open resources, the clock and new ids. */
export interface MerchantsContext {
  readonly resources: Resources;
  readonly now: () => Date;
  readonly newId: () => string;
}

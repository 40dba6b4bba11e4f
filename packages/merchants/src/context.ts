import type { Resources } from './configuration/resources.ts';

/** What every use case of merchants needs: open resources, the clock and new ids. */
export interface MerchantsContext {
  readonly resources: Resources;
  readonly now: () => Date;
  readonly newId: () => string;
}

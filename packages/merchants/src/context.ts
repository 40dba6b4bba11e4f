import type { Resources } from './configuration/resources.ts';

/** What every use case of merchants stands on. */
export interface MerchantsContext {
  readonly resources: Resources;
  readonly now: () => Date;
  readonly newId: () => string;
}

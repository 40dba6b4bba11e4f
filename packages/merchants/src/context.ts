import type { Resources } from '@switchyard/db';

/** What every use case of merchants stands on. */
export interface MerchantsContext {
  readonly resources: Resources;
  readonly now: () => Date;
  readonly newId: () => string;
}

import type { Mode } from '@switchyard/db/client';
import type { RuntimeContext } from '@switchyard/runtime';

/** Dependencies of the use cases of accounting. */
export type AccountingContext = RuntimeContext<'auditKeys' | 'configuration' | 'database'>;

/** The books of a merchant in one mode. */
export interface Books {
  readonly merchantId: string;
  readonly mode: Mode;
}

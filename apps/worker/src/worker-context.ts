import type { retryingPool } from '@switchyard/db/process';
import type { MerchantsContext } from '@switchyard/merchants';
import type { PaymentsContext } from '@switchyard/payments/context';

/** What tasks work with. */
export interface WorkerContext {
  readonly payments: PaymentsContext;
  readonly merchants: MerchantsContext;
  /** For the job queue: bears with a database that is away. */
  readonly pgPool: ReturnType<typeof retryingPool>;
  readonly report: (error: unknown, doing: string) => void;
}

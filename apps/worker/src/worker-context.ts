import type { retryingPool } from '@switchyard/db/process';
import type { MerchantsContext } from '@switchyard/merchants';
import type { PaymentsContext } from '@switchyard/payments/context';

/** The resources of tasks. */
export interface WorkerContext {
  readonly payments: PaymentsContext;
  readonly merchants: MerchantsContext;
  /** For the job queue: retries while the database is unavailable. */
  readonly pgPool: ReturnType<typeof retryingPool>;
  readonly report: (error: unknown, doing: string) => void;
  /** Ends waits for the database while the process starts. */
  readonly signal: AbortSignal;
}

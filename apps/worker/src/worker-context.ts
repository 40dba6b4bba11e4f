import type { retryingPool } from '@switchyard/db/process';
import type { PaymentsContext } from '@switchyard/payments/context';
import type { RuntimeContext } from '@switchyard/runtime';

/** The resources of tasks. */
export interface WorkerContext extends RuntimeContext {
  readonly payments: PaymentsContext;
  /** For the job queue: retries while the database is unavailable. */
  readonly pgPool: ReturnType<typeof retryingPool>;
  readonly report: (error: unknown, doing: string) => void;
  /** Ends waits for the database while the process starts. */
  readonly signal: AbortSignal;
}

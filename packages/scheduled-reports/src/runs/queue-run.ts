import { enqueueJob } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';

/** Identifies a run. */
export interface RunKey {
  /** The nil UUID of a schedule for all merchants. */
  readonly merchantId: string;
  readonly runId: string;
}

/** One report is made at a time: each holds its file in memory. */
const QUEUE = 'reports';

/** Queues the job of a run, for now or later. A job that is there already stays. */
export function queueRun(transaction: Prisma.TransactionClient, { merchantId, runId }: RunKey, runAt?: Date): Promise<void> {
  const options = { key: `report ${runId}`, queue: QUEUE, ...(runAt === undefined ? { keepsJob: true } : { runAt }) };
  return enqueueJob(transaction, 'make-report', { merchantId, runId }, options);
}

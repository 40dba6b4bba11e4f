import { isDatabaseLate } from '@switchyard/db';
import type { retryingPool } from '@switchyard/db/process';
import { type Logger, type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker';

const DATABASE_RETRY_MS = 1_000;

/** Where a job queue reports to. */
export interface QueueOptions {
  readonly events: WorkerEvents;
  readonly logger: Logger;
}

/** What a job queue works on, how much of it at a time, and who is told while the database is unavailable. */
export interface QueueWork {
  readonly pgPool: ReturnType<typeof retryingPool>;
  readonly concurrency: number;
  readonly taskList: TaskList;
  readonly report: (error: unknown, doing: string) => void;
}

/** Starts consuming jobs, once the database is available. The caller stops the runner. */
export function startQueue({ report, ...work }: QueueWork, options: QueueOptions): Promise<Runner> {
  return retryUntilDatabaseAvailable(() => run({ ...work, ...options, noHandleSignals: true, parsedCronItems: [] }), report);
}

/** Waits for a database that is unavailable or overloaded; other errors are thrown. */
export async function retryUntilDatabaseAvailable<T>(step: () => Promise<T>, report: QueueWork['report']): Promise<T> {
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (!isDatabaseLate(error)) throw error;
      report(error, 'connecting to the database');
      await new Promise((resolve) => setTimeout(resolve, DATABASE_RETRY_MS));
    }
  }
}

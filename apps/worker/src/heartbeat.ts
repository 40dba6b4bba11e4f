import type { Database } from '@switchyard/db';
import { sendHeartbeat, unlockJobsOfDeadWorkers } from '@switchyard/db/process';
import type { WorkerEvents } from 'graphile-worker';

const BEAT_MS = 5_000;
const SILENCE_SECONDS = 30;

/**
 * Says every five seconds that this process's pools of workers are alive, and frees the jobs of those that have not been heard of
 * for half a minute: of a process that was killed, the queue by itself would keep them for hours.
 */
export function startHeartbeat(
  database: Database,
  events: WorkerEvents,
  report: (error: unknown, doing: string) => void,
): { stop(): Promise<void> } {
  const poolIds = new Set<string>();
  let beating: Promise<void> = Promise.resolve();
  const beat = () => {
    beating = sendHeartbeat(database, [...poolIds])
      .then(() => unlockJobsOfDeadWorkers(database, SILENCE_SECONDS))
      .catch((error: unknown) => report(error, 'looking for jobs of dead workers'));
  };
  events.on('pool:create', ({ workerPool }) => {
    poolIds.add(workerPool.id);
    beat();
  });
  const timer = setInterval(beat, BEAT_MS);
  return {
    async stop() {
      clearInterval(timer);
      await beating;
    },
  };
}

import type { Database } from '@switchyard/db';
import { sendHeartbeat, unlockJobsOfDeadWorkers } from '@switchyard/db/process';
import type { WorkerEvents } from 'graphile-worker';

const HEARTBEAT_INTERVAL_MS = 5_000;
const DEAD_AFTER_SECONDS = 30;

/**
 * Sends a heartbeat of this process's worker pools every five seconds, and unlocks the jobs of pools without one for half a
 * minute: by itself, the queue keeps the jobs of a killed process locked for hours.
 */
export function startHeartbeat(
  database: Database,
  events: WorkerEvents,
  report: (error: unknown, doing: string) => void,
): { stop(): Promise<void> } {
  const poolIds = new Set<string>();
  let sending: Promise<void> = Promise.resolve();
  const beat = () => {
    sending = sendHeartbeat(database, [...poolIds])
      .then(() => unlockJobsOfDeadWorkers(database, DEAD_AFTER_SECONDS))
      .catch((error: unknown) => report(error, 'unlocking jobs of dead workers'));
  };
  events.on('pool:create', ({ workerPool }) => {
    poolIds.add(workerPool.id);
    beat();
  });
  const timer = setInterval(beat, HEARTBEAT_INTERVAL_MS);
  return {
    async stop() {
      clearInterval(timer);
      await sending;
    },
  };
}

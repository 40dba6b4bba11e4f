/**
 * Jobs are fetched, and their ends written, several in one statement: by itself the queue takes two commits for each job. Fetched jobs
 * that no worker has begun within the time to live, or when the process stops, go back to the queue.
 */
export function jobBatches(concurrency: number) {
  return { worker: { localQueue: { size: 2 * concurrency, ttl: 5_000 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 } };
}

/** Resources that a process opens once and closes when it ends. */
export { listenForHints } from './change-hints.ts';
export { openDatabase } from './connect.ts';
export { sendHeartbeat, unlockJobsOfDeadWorkers } from './job-pools.ts';
export { ageOutFailedJobs, migrateJobs } from './kept-jobs.ts';
export { listenForWakes } from './listen-for-wakes.ts';
export { countOverdueJobs } from './overdue-jobs.ts';
export { openProcessHeartbeat } from './process-heartbeat.ts';
export { openReports } from './read-only-pool.ts';
export { retryingPool } from './retrying-pool.ts';
export { countByKey, resealRows } from './sealed-rows.ts';
export { openVault } from './vault.ts';

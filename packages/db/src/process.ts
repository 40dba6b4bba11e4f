/** Resources that a process opens once and closes when it ends. */
export { listenForHints } from './change-hints.ts';
export { openDatabase } from './connect.ts';
export {
  ageOutFailedJobs,
  countOverdueJobs,
  listenForWakes,
  migrateJobs,
  retryingPool,
  sendHeartbeat,
  unlockJobsOfDeadWorkers,
} from './job-pools.ts';
export { openProcessHeartbeat } from './process-heartbeat.ts';
export { openReports } from './read-only-pool.ts';
export { countByKey, openVault, resealRows } from './vault.ts';

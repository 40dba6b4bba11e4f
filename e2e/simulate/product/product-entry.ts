/* Exports that run in a logical process. Bundled, and evaluated anew for each process, so that no two share module state. */

export { serveNodeRequest } from '@switchyard/api/node';
export { openSwitchyard } from '@switchyard/api/process';
export { migrateJobs } from '@switchyard/db/process';
export { startWorker } from '@switchyard/worker';

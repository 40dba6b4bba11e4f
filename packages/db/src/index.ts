export { appendAuditEntry, FIRST_PREVIOUS, hashAuditEntry, type NewAuditEntry, NIL_ID } from './audit.ts';
export type { ChangeHints } from './change-hints.ts';
export type { Database } from './connect.ts';
export { isDatabaseUnavailable } from './database-unavailable.ts';
export { enqueueJob, type Jobs, migrateJobs } from './jobs.ts';
export { type JsonValue, toPrismaJson } from './json.ts';
export type { Reports } from './read-only-pool.ts';
export { isUuid, newId } from './uuid-v7.ts';
export type { Vault } from './vault.ts';

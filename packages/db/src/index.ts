export { batched } from './batch-statements.ts';
export type { ChangeHints } from './change-hints.ts';
export type { Database } from './connect.ts';
export {
  isDatabaseTimeout,
  isDatabaseUnavailable,
  isOwnUnavailability,
  isUnavailable,
  isWriteConflict,
  OwnFaultError,
  pingDatabase,
  UnavailableError,
  unlessUnavailable,
} from './database-unavailable.ts';
export type { Hint, Jobs, Wake } from './job-payloads.ts';
export { enqueueJob, enqueueJobs, hintAfterCommit, hintWorkers, transactWithHints } from './jobs.ts';
export { canonicalJson, isDeeperThan, type JsonValue, type JsonWritable, toPrismaJson } from './json.ts';
export { createTextPacker, type TextPacker } from './packed-text.ts';
export type { ProcessHeartbeat } from './process-heartbeat.ts';
export type { Reports, ReportsSource } from './read-only-pool.ts';
export { sealedColumn } from './sealed-column.ts';
export type { Snapshot } from './snapshots.ts';
export { createIds, firstIdAt, isUuid, NIL_ID, newId, timeOfId, uuidOf } from './uuid.ts';
export type { SealedRows, Vault } from './vault.ts';
export { aboutPayment, type WorkSubject, withWorkSubject, workSubject } from './work-subject.ts';

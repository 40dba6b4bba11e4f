export {
  appendAuditEntry,
  FIRST_PREVIOUS,
  hashAuditEntry,
  keyAuditChain,
  type NewAuditEntry,
  NIL_ID,
  sealAuditHead,
  splitAuditActor,
  withMachineToken,
} from './audit.ts';
export { type AuditKey, type AuditKeys, openAuditKeys } from './audit-keys.ts';
export { batched } from './batch-statements.ts';
export type { ChangeHints } from './change-hints.ts';
export type { Database } from './connect.ts';
export { isDatabaseTimeout, isDatabaseUnavailable } from './database-unavailable.ts';
export type { Hint, Jobs, Wake } from './job-payloads.ts';
export { enqueueJob, hintAfterCommit, hintWorkers, transactWithHints } from './jobs.ts';
export { canonicalJson, isDeeperThan, type JsonValue, type JsonWritable, toPrismaJson } from './json.ts';
export { OwnFaultError } from './own-fault.ts';
export { createTextPacker, type TextPacker } from './packed-text.ts';
export type { ProcessHeartbeat } from './process-heartbeat.ts';
export type { Reports } from './read-only-pool.ts';
export type { SealedRows } from './sealed-rows.ts';
export { firstIdAt, isUuid, newId } from './uuid-v7.ts';
export type { Vault } from './vault.ts';
export { aboutPayment, type WorkSubject, withWorkSubject, workSubject } from './work-subject.ts';

export { countByEncryptionKey } from './count-by-encryption-key.ts';
export { type AuditEntryInList, countAudit, findAudit, listAudit, listAuditChoices } from './list-audit.ts';
export { type AuditScope, type ReadableChains, readableChains } from './readable-chains.ts';
export { reportChains } from './report-chains.ts';
export { listAuditHeads, verifyAudit } from './verify-audit.ts';
export { keyAuditChains, type SavedChainHead } from './verify-chains.ts';

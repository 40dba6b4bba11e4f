export { type AuditFeesOutcome, auditFees } from '../fees/audit-fees.ts';
export { type MatchOutcome, matchAccount } from './match-account.ts';
export { type ReadSettlementsOutcome, readSettlements } from './read-settlements.ts';
export { scheduleSettlementReading } from './schedule-reading.ts';
export { storeAnnouncedSettlement } from './store-announced.ts';
export { type ReceivedSettlement, type StoreOutcome, storeSettlement } from './store-settlement.ts';

export type { EntryKind, LedgerEntry, LineLink, MatchLine } from './entries.ts';
export type { EntryResult, EntryState } from './judge-entry.ts';
export { type MatchResult, matchSettlementLines } from './match-settlement-lines.ts';

export {
  type ExplainedFee,
  explainPaymentFee,
  type FeeStep,
  listPaymentFees,
  type PaymentFeeItem,
  type PaymentFeeKey,
  type PaymentFeePage,
} from './fees.ts';
export {
  createIgnoreRule,
  endIgnoreRule,
  type IgnoreRuleItem,
  type IgnoreRuleOutcome,
  listIgnoreRules,
  type NewIgnoreRule,
} from './ignore-rules.ts';
export { findLinkable, findPairs, type LinkableEntry, type LinkablePair, linkLine, unlinkLine } from './link-line.ts';
export {
  assignSettlementDiscrepancy,
  changeSettlementDiscrepancies,
  countSettlementDiscrepancies,
  findSettlementDiscrepancy,
  listSettlementDiscrepancies,
  noteSettlementDiscrepancy,
  reopenSettlementDiscrepancy,
  resolveOpenSettlementDiscrepancy,
  resolveSettlementDiscrepancy,
  type SettlementBulkChange,
  type SettlementDiscrepancyItem,
  type SettlementDiscrepancyKey,
  type SettlementDiscrepancyPage,
  type SettlementDiscrepancySort,
} from './list-discrepancies.ts';
export {
  findSettlement,
  listSettlementLines,
  listSettlements,
  type SettlementItem,
  type SettlementKey,
  type SettlementLineItem,
  type SettlementLinePage,
  type SettlementLineQuery,
  type SettlementPage,
  type SettlementTotal,
} from './list-settlements.ts';
export { type ExplainedMoney, readExplained } from './read-explained.ts';
export {
  CALENDAR_LIMITS,
  changeSettlementCalendar,
  listSettlementSources,
  type SettlementCalendarOutcome,
  type SettlementSourceItem,
} from './sources.ts';

export { type ClosedMonth, listClosedMonths } from './closed-months.ts';
export type { AccountBalance, Balance, OpenItem, OpenItems, Unexplained } from './document.ts';
export type { Adjustment, AdjustmentSum, Adjustments } from './read-adjustments.ts';
export { type LateJournalSummary, type Month, type MonthState, readMonth } from './read-month.ts';

export type { AccountBalance, Balance, OpenItem, OpenItems, Unexplained } from './document.ts';
export type { Adjustment, AdjustmentSum, Adjustments } from './read-adjustments.ts';
export { type Month, type MonthState, readMonth } from './read-month.ts';

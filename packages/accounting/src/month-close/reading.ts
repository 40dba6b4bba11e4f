export type { AdjustmentSum } from '../late-arrivals/late-journals.ts';
export {
  type AccountBalance,
  type Balance,
  type ClosedMonth,
  listClosedMonths,
  type OpenItem,
  type OpenItems,
  type Unexplained,
} from './document.ts';
export {
  type Adjustment,
  type Adjustments,
  type LateJournalSummary,
  type Month,
  type MonthState,
  readMonth,
} from './read-month.ts';

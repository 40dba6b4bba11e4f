export type { ArrivalDay, ArrivalSums } from './arrival-sums.ts';
export { sumArrivals } from './arrival-sums.ts';
export type { ArrivalState } from './arrivals.ts';
export type { AccountCoverage } from './coverage.ts';
export { type BankOverview, type BankPayoutItem, type OpenBankLine, readBank } from './read-bank.ts';

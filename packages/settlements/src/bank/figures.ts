export type { ArrivalDay, ArrivalSums } from './arrival-sums.ts';
export { sumArrivals } from './arrival-sums.ts';
export type { ArrivalState } from './arrivals.ts';
export { type BankCreditItem, type BankOverview, type BankPayoutItem, readBank } from './read-bank.ts';

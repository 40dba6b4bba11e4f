export { rehearseStatementWithdrawal, type WithdrawnStatement } from '../bank/withdraw-statement.ts';
export { rehearseFile, type SettlementFileOf } from '../files/take-file.ts';
export type { DiscrepancyEffect, Look } from './rehearse.ts';
export { rehearseWithdrawal, type Withdrawn } from './withdraw.ts';

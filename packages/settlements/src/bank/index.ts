export type { ArrivalState } from './arrivals.ts';
export { changeBankMatching } from './change-matching.ts';
export { followBank } from './follow-bank.ts';
export { inspectStatement, type StatementInspection } from './inspect-statement.ts';
export {
  findLinesForPayout,
  findPayoutsForLine,
  linkBankLine,
  listBankLinesOf,
  unlinkBankLine,
} from './link-bank.ts';
export { listStatements } from './list-bank.ts';
export { type BankMapping, bankMappingSchema } from './mapping.ts';
export {
  BANK_MATCHING_LIMITS,
  type BankMatching,
  DEFAULT_BANK_MATCHING,
  listBankMatching,
} from './matching.ts';
export { type BankOverview, type BankPayoutItem, readBank } from './read-bank.ts';
export { requestBankMatch } from './request-bank-match.ts';
export { previewStatement, type StatementPreview, type TakeStatementOutcome, takeStatement } from './take-statement.ts';

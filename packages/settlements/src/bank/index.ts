export type { ArrivalState } from './arrivals.ts';
export { followBank, requestBankMatch } from './follow-bank.ts';
export { inspectStatement, type StatementInspection } from './inspect-statement.ts';
export { type BankOverview, type BankPayoutItem, listStatements, readBank } from './list-bank.ts';
export { type BankMapping, bankMappingSchema } from './mapping.ts';
export { previewStatement, type StatementPreview, type TakeStatementOutcome, takeStatement } from './take-statement.ts';

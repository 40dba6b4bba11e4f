export { authenticateFinance, type FinanceAccess } from './authenticate-finance.ts';
export { type IssueFinanceTokenOutcome, issueFinanceToken } from './issue-finance-token.ts';
export { listFinanceTokensOf } from './list-finance-tokens.ts';
export { revokeFinanceToken } from './revoke-finance-token.ts';

export { type IssueTokenOutcome, issueToken } from './issue-token.ts';
export { listTokens } from './list-tokens.ts';
export { revokeToken } from './revoke-token.ts';

export { authenticateToken, type MachineAccess } from './authenticate-token.ts';
export { type IssueTokenOutcome, issueToken } from './issue-token.ts';
export { listTokens } from './list-tokens.ts';
export { revokeToken } from './revoke-token.ts';
export { readTokenSession } from './token-session.ts';

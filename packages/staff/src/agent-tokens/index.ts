export { type AgentSession, readAgentSession } from './agent-session.ts';
export { type AgentAccess, authenticateAgent, isAgentToken } from './authenticate-agent.ts';
export { type IssueAgentTokenOutcome, issueAgentToken } from './issue-agent-token.ts';
export { listAgentTokensOf } from './list-agent-tokens.ts';
export { revokeAgentToken } from './revoke-agent-token.ts';

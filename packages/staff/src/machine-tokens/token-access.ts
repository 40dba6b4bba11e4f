/* Exports for what authenticates tokens, apart from issuing and revoking them. */
export { authenticateToken, type MachineAccess } from './authenticate-token.ts';
export { readTokenSession } from './token-session.ts';

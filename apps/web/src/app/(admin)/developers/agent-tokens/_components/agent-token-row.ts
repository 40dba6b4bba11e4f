import type { RouterOutputs } from '../../../../../trpc/outputs.ts';

/** An agent token, as the server lists it. */
export type AgentTokenRow = RouterOutputs['agentTokens']['list'][number];

/** Whether requests with the token are accepted at this time, in ms since the epoch. */
export function isActive({ revokedAt, expiresAt }: AgentTokenRow, now: number): boolean {
  return revokedAt === null && expiresAt.getTime() > now;
}

import type { RouterOutputs } from '#/trpc/outputs.ts';

/** An agent token, as the server lists it. */
export type AgentTokenRow = RouterOutputs['agentTokens']['list'][number];

import { appendAuditEntry, NIL_ID } from '@switchyard/db';
import type { StaffContext } from '../context.ts';
import { agentTokenForAudit } from './issue-agent-token.ts';
import { endAgentToken, type ListedAgentToken } from './queries.ts';

/** Asks to end a token at once. */
export interface RevokeAgentTokenCommand {
  readonly tokenId: string;
  readonly actor: string;
}

/** Result of revoking a token. */
export type RevokeAgentTokenOutcome =
  | { readonly kind: 'revoked'; readonly listed: ListedAgentToken }
  /** Unknown, or already revoked. */
  | { readonly kind: 'not_found' };

/** Revokes a token for good, at once and everywhere. */
export async function revokeAgentToken(
  context: StaffContext,
  { tokenId, actor }: RevokeAgentTokenCommand,
): Promise<RevokeAgentTokenOutcome> {
  const now = context.now();
  const { database, auditKeys } = context.resources;
  return database.prisma.$transaction(async (transaction): Promise<RevokeAgentTokenOutcome> => {
    const listed = await endAgentToken(transaction, tokenId, { revokedAt: now, revokedBy: actor });
    if (listed === null) return { kind: 'not_found' };
    const entry = {
      tenantId: NIL_ID,
      entryId: context.newId(),
      actor,
      action: 'agent_token.revoked',
      objectType: 'agent_token',
      objectId: tokenId,
      before: agentTokenForAudit({ ...listed, revokedAt: null }),
      after: agentTokenForAudit(listed),
    };
    await appendAuditEntry(transaction, auditKeys, entry, now);
    return { kind: 'revoked', listed };
  });
}

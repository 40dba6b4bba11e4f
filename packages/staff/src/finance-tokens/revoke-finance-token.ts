import { appendAuditEntry, NIL_ID } from '@switchyard/db';
import type { StaffContext } from '../context.ts';
import { tokenForAudit } from './issue-finance-token.ts';
import { endFinanceToken, type ListedFinanceToken } from './queries.ts';

/** Asks to end a token at once. */
export interface RevokeFinanceTokenCommand {
  readonly tokenId: string;
  readonly actor: string;
}

/** Result of revoking a token. */
export type RevokeFinanceTokenOutcome =
  | { readonly kind: 'revoked'; readonly listed: ListedFinanceToken }
  /** Unknown, or already revoked. */
  | { readonly kind: 'not_found' };

/** Revokes a token for good, at once and everywhere. */
export async function revokeFinanceToken(
  context: StaffContext,
  { tokenId, actor }: RevokeFinanceTokenCommand,
): Promise<RevokeFinanceTokenOutcome> {
  const now = context.now();
  return context.resources.database.prisma.$transaction(async (transaction): Promise<RevokeFinanceTokenOutcome> => {
    const listed = await endFinanceToken(transaction, tokenId, { revokedAt: now, revokedBy: actor });
    if (listed === null) return { kind: 'not_found' };
    const after = tokenForAudit(listed);
    const about = { action: 'finance_token.revoked', objectType: 'finance_token', objectId: tokenId };
    const entry = {
      ...about,
      tenantId: NIL_ID,
      entryId: context.newId(),
      actor,
      before: tokenForAudit({ ...listed, revokedAt: null }),
    };
    await appendAuditEntry(transaction, context.resources.auditKeys, { ...entry, after }, now);
    return { kind: 'revoked', listed };
  });
}

import { NIL_ID } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { StaffContext } from '../context.ts';
import { tokenForAudit } from './issue-token.ts';
import { endToken, type ListedToken } from './queries.ts';

/** Asks to end a token at once. */
export interface RevokeTokenCommand {
  readonly tokenId: string;
  /** Whose it has to be; null for anyone's. */
  readonly staffId: string | null;
  readonly actor: string;
}

/** Result of revoking a token. */
export type RevokeTokenOutcome =
  | { readonly kind: 'revoked'; readonly listed: ListedToken }
  /** Unknown, someone else's, or already revoked. */
  | { readonly kind: 'not_found' };

/** Revokes a token for good, at once and everywhere. */
export async function revokeToken(
  context: StaffContext,
  { tokenId, staffId, actor }: RevokeTokenCommand,
): Promise<RevokeTokenOutcome> {
  const now = context.now();
  const { database, auditKeys } = context.resources;
  return database.prisma.$transaction(async (transaction): Promise<RevokeTokenOutcome> => {
    const listed = await endToken(transaction, { tokenId, staffId, revokedAt: now, revokedBy: actor });
    if (listed === null) return { kind: 'not_found' };
    const entry = {
      tenantId: NIL_ID,
      entryId: context.newId(),
      actor,
      action: 'machine_token.revoked',
      objectType: 'machine_token',
      objectId: tokenId,
      before: tokenForAudit({ ...listed, revokedAt: null }),
      after: tokenForAudit(listed),
    };
    await appendAuditEntry(transaction, auditKeys, entry, now);
    return { kind: 'revoked', listed };
  });
}

import type { StaffContext } from '../context.ts';
import { changeTeam } from '../grants/change-team.ts';
import { endTokensOf } from '../machine-tokens/queries.ts';
import { coversStaffUser, type MerchantScope } from '../permissions/merchant-scope.ts';
import { deleteStaffSessions, findStaffUser, listStaffSessions, type StaffSessionRow } from '../users/queries.ts';

/** A session ends after this time without a request. */
export const SESSION_IDLE_MS = 30 * 60_000;

/**
 * The sessions of a staff user, last seen first; null when they are outside the merchant scope. A null `merchantScope` means
 * own sessions.
 */
export async function listSessions(
  context: StaffContext,
  query: { readonly staffId: string; readonly merchantScope: MerchantScope | null },
): Promise<StaffSessionRow[] | null> {
  const { database } = context.resources;
  const { staffId, merchantScope } = query;
  if (merchantScope !== null) {
    const person = await findStaffUser(database.prisma, staffId);
    if (person === null || !coversStaffUser(merchantScope, person)) return null;
  }
  const now = context.now();
  return listStaffSessions(database, { staffId, now, seenAfter: new Date(now.getTime() - SESSION_IDLE_MS) });
}

/** Asks to sign a staff user out. */
export interface EndSessionsCommand {
  readonly staffId: string;
  /** One session, all but one, or all. */
  readonly which: { readonly sessionId: string } | { readonly exceptSessionId: string } | 'all';
  /** Null is oneself. */
  readonly merchantScope: MerchantScope | null;
  readonly actor: string;
}

/** The number of ended sessions; `not_found` outside the merchant scope. */
export type EndSessionsOutcome = { readonly kind: 'ended'; readonly count: number } | { readonly kind: 'not_found' };

/** Ends sessions of a staff user: their next request is refused. Ending all of them ends their tokens too. */
export function endSessions(context: StaffContext, command: EndSessionsCommand): Promise<EndSessionsOutcome> {
  const { staffId, which, merchantScope, actor } = command;
  return changeTeam<EndSessionsOutcome>(context, actor, async (transaction, now) => {
    const person = await findStaffUser(transaction, staffId);
    if (person === null || (merchantScope !== null && !coversStaffUser(merchantScope, person)))
      return { outcome: { kind: 'not_found' }, audit: null };
    const count = await deleteStaffSessions(transaction, { staffId, ...(which === 'all' ? {} : which) });
    const tokensRevoked = which === 'all' ? await endTokensOf(transaction, staffId, { revokedAt: now, revokedBy: actor }) : 0;
    if (count === 0 && tokensRevoked === 0) return { outcome: { kind: 'ended', count }, audit: null };
    const after = { count, ...(which === 'all' ? { tokensRevoked } : which) };
    return {
      outcome: { kind: 'ended', count },
      audit: { action: 'staff.sessions_ended', objectType: 'staff', objectId: staffId, before: null, after },
    };
  });
}

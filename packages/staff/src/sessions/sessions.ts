import { isUuid } from '@switchyard/db';
import type { StaffContext } from '../context.ts';
import { changeTeam } from '../grants/change-team.ts';
import { endTokensOf } from '../machine-tokens/queries.ts';
import { coversStaffUser, type MerchantScope } from '../permissions/merchant-scope.ts';
import { findStaffUser } from '../users/queries.ts';

/** A session ends after this time without a request. */
export const SESSION_IDLE_MS = 30 * 60_000;

const SESSIONS_MAX = 200;

/**
 * The open sessions of a staff user, last seen first, to the minute; null when they are outside the merchant scope. A null `merchantScope`
 * means own sessions.
 */
export async function listSessions(
  { resources, now }: StaffContext,
  { staffId, merchantScope }: { readonly staffId: string; readonly merchantScope: MerchantScope | null },
) {
  const { prisma } = resources.database;
  const person = merchantScope === null ? null : await findStaffUser(prisma, staffId);
  if (merchantScope !== null && (person === null || !coversStaffUser(merchantScope, person))) return null;
  const at = now();
  return prisma.staffSession.findMany({
    where: { userId: staffId, updatedAt: { gt: new Date(at.getTime() - SESSION_IDLE_MS) }, expiresAt: { gt: at } },
    orderBy: [{ updatedAt: 'desc' }, { id: 'asc' }],
    take: SESSIONS_MAX,
    select: { id: true, ipAddress: true, userAgent: true, createdAt: true, updatedAt: true, expiresAt: true },
  });
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
      return { outcome: { kind: 'not_found' } };
    const { count } = await transaction.staffSession.deleteMany({
      where: { userId: person.id, ...(which !== 'all' && idOf(which)) },
    });
    const tokensRevoked = which === 'all' ? await endTokensOf(transaction, staffId, { revokedAt: now, revokedBy: actor }) : 0;
    if (count === 0 && tokensRevoked === 0) return { outcome: { kind: 'ended', count } };
    const after = { count, ...(which === 'all' ? { tokensRevoked } : which) };
    return {
      outcome: { kind: 'ended', count },
      audit: { action: 'staff.sessions_ended', objectType: 'staff', objectId: staffId, before: null, after },
    };
  });
}

/** The id of one session, or of all but one; of none for text that is no id. */
function idOf(which: Exclude<EndSessionsCommand['which'], 'all'>) {
  const id = 'sessionId' in which ? which.sessionId : which.exceptSessionId;
  if (!isUuid(id)) return { id: { in: [] } };
  return { id: 'sessionId' in which ? { in: [id] } : { not: id } };
}

import { NIL_ID } from '@switchyard/db';
import type { StaffContext } from '../context.ts';
import { changeTeam } from '../grants/change-team.ts';
import { findStaffUser } from '../users/queries.ts';

/** Result of naming the break-glass owner, or why there is no other one. */
export type SetBreakGlassOutcome =
  | { readonly kind: 'set' }
  | { readonly kind: 'not_found' }
  /** Only an enabled owner of all merchants with a password and two-factor sign-in. */
  | { readonly kind: 'not_eligible' };

/** The staff user who is the break-glass owner; null before one was named. */
export async function findBreakGlass({ resources }: StaffContext): Promise<string | null> {
  const found = await resources.database.prisma.staffUser.findFirst({ where: { breakGlass: true }, select: { id: true } });
  return found?.id ?? null;
}

/**
 * Names the one owner who goes on signing in with a password and a second step where a provider is required. They stay an owner with a
 * second step for as long as they are it.
 */
export function setBreakGlass(
  context: StaffContext,
  { staffId, actor }: { readonly staffId: string; readonly actor: string },
): Promise<SetBreakGlassOutcome> {
  return changeTeam<SetBreakGlassOutcome>(context, actor, async (transaction, now) => {
    const person = await findStaffUser(transaction, staffId);
    if (person === null) return { outcome: { kind: 'not_found' } };
    const isOwner = person.grants.some(({ merchantId, role }) => merchantId === NIL_ID && role === 'owner');
    const credential = { userId: person.id, providerId: 'credential', password: { not: null } };
    const hasPassword = (await transaction.staffCredential.count({ where: credential })) > 0;
    if (person.disabledAt !== null || !isOwner || !person.twoFactorEnabled || !hasPassword) {
      return { outcome: { kind: 'not_eligible' } };
    }
    const before = await transaction.staffUser.findFirst({ where: { breakGlass: true }, select: { id: true } });
    if (before?.id === person.id) return { outcome: { kind: 'set' } };
    await transaction.staffUser.updateMany({ where: { breakGlass: true }, data: { breakGlass: false, updatedAt: now } });
    const data = { breakGlass: true, twoFactorRequired: true, updatedAt: now };
    await transaction.staffUser.update({ where: { id: person.id }, data });
    return {
      outcome: { kind: 'set' },
      audit: {
        action: 'staff.break_glass_named',
        objectType: 'staff',
        objectId: person.id,
        before: before && { staffId: before.id },
        after: { staffId: person.id },
      },
    };
  });
}

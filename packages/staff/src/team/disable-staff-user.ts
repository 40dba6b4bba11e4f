import { NIL_ID } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';
import { isLastOwner } from '../grants/grants.ts';
import { listNeededDecisions, type NeededDecision } from '../grants/needed-decisions.ts';
import { revokeStaffLinks } from '../links/staff-link.ts';
import { endAccess } from '../machine-tokens/queries.ts';
import type { StaffUserRow } from '../users/queries.ts';

/** Result of disabling a staff user, or the reason why it was refused. */
export type DisableOutcome =
  | {
      readonly kind: 'disabled';
      /** Decisions that no one can take any more without them. */
      readonly neededFor: readonly NeededDecision[];
      /** Counts for the audit log. */
      readonly ended: Readonly<Record<string, number>>;
    }
  /** There is no other workspace owner. */
  | { readonly kind: 'last_owner' };

/**
 * Disables a staff user and ends their sessions, their tokens, a reset link for them, and the open invitations and reset links that they
 * made. The transaction holds `lockStaffGrants`.
 */
export async function disableStaffUser(
  transaction: Prisma.TransactionClient,
  person: StaffUserRow,
  actor: string,
  now: Date,
): Promise<DisableOutcome> {
  const { role } = person.grants.find(({ merchantId }) => merchantId === NIL_ID) ?? {};
  if (await isLastOwner(transaction, { staffId: person.id, merchantId: null }, role)) return { kind: 'last_owner' };
  const neededFor = await listNeededDecisions(transaction, person.id, now);
  await transaction.staffUser.update({ where: { id: person.id }, data: { disabledAt: now, updatedAt: now } });
  await revokeStaffLinks(transaction, { kind: 'password_reset', email: person.email }, now);
  const access = await endAccess(transaction, person.id, { revokedAt: now, revokedBy: actor });
  const createdBy = `staff:${person.id}`;
  const invitationsWithdrawn = await revokeStaffLinks(transaction, { kind: 'invitation', createdBy }, now);
  const resetLinksWithdrawn = await revokeStaffLinks(transaction, { kind: 'password_reset', createdBy }, now);
  return { kind: 'disabled', neededFor, ended: { ...access, invitationsWithdrawn, resetLinksWithdrawn } };
}

/** The decisions that a person was needed for, as the audit log records them. */
export function neededForAudit(neededFor: readonly NeededDecision[]) {
  return neededFor.map(({ of, merchantId, merchantName, waiting }) => ({ of, merchantId, merchantName, waiting }));
}

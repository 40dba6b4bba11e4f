import { NIL_ID } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';
import { isLastOwner } from '../grants/grants.ts';
import { listNeededDecisions, type NeededDecision } from '../grants/needed-decisions.ts';
import { revokeStaffLinks } from '../links/staff-link.ts';
import { endTokensOf } from '../machine-tokens/queries.ts';
import { deleteStaffSessions, type StaffUserRow, updateStaffUser } from '../users/queries.ts';

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
  if (await isLastOfAll(transaction, person)) return { kind: 'last_owner' };
  const neededFor = await listNeededDecisions(transaction, person.id, now);
  await updateStaffUser(transaction, person.id, { disabledAt: now }, now);
  await revokeStaffLinks(transaction, { kind: 'password_reset', email: person.email }, now);
  const sessionsEnded = await deleteStaffSessions(transaction, { staffId: person.id });
  const tokensRevoked = await endTokensOf(transaction, person.id, { revokedAt: now, revokedBy: actor });
  const createdBy = `staff:${person.id}`;
  const invitationsWithdrawn = await revokeStaffLinks(transaction, { kind: 'invitation', createdBy }, now);
  const resetLinksWithdrawn = await revokeStaffLinks(transaction, { kind: 'password_reset', createdBy }, now);
  return { kind: 'disabled', neededFor, ended: { sessionsEnded, tokensRevoked, invitationsWithdrawn, resetLinksWithdrawn } };
}

/** The decisions that a person was needed for, as the audit log records them. */
export function neededForAudit(neededFor: readonly NeededDecision[]) {
  return neededFor.map(({ of, merchantId, merchantName, waiting }) => ({ of, merchantId, merchantName, waiting }));
}

async function isLastOfAll(transaction: Prisma.TransactionClient, person: StaffUserRow): Promise<boolean> {
  const everywhere = { staffId: person.id, merchantId: null };
  const { role } = person.grants.find(({ merchantId }) => merchantId === NIL_ID) ?? {};
  return isLastOwner(transaction, everywhere, role);
}

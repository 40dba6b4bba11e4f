import { NIL_ID } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';
import type { StaffContext } from '../context.ts';
import { isLastOwner } from '../grants/change-grants.ts';
import { revokeStaffLinks } from '../links/queries.ts';
import { endTokensOf } from '../machine-tokens/queries.ts';
import { changeTeam, type TeamChange } from './change-team.ts';
import { coversStaffUser, type MerchantScope } from './merchant-scope.ts';
import { deleteStaffSessions, deleteStaffTwoFactor, findStaffUser, type StaffUserRow, updateStaffUser } from './queries.ts';

/** Selects a staff user that the caller may manage. */
export interface ChangeStaffUserCommand {
  readonly staffId: string;
  readonly merchantScope: MerchantScope;
  readonly actor: string;
}

/** Result of changing a staff user, or the reason why it was refused. */
export type ChangeStaffUserOutcome =
  | { readonly kind: 'changed' }
  /** Unknown, or outside the merchant scope. */
  | { readonly kind: 'not_found' }
  /** There is no other workspace owner. */
  | { readonly kind: 'last_owner' }
  /** Disabling oneself is refused. */
  | { readonly kind: 'oneself' };

const CHANGED = { kind: 'changed' } as const;

/**
 * Disables a staff user and ends their sessions, their tokens, a reset link for them, and the open invitations and reset links that they made, or
 * enables them again. Roles stay unchanged, and what was ended stays so.
 */
export function setStaffDisabled(
  context: StaffContext,
  command: ChangeStaffUserCommand & { readonly disabled: boolean },
): Promise<ChangeStaffUserOutcome> {
  const { disabled, actor } = command;
  return changePerson(context, command, async (transaction, person, now) => {
    if ((person.disabledAt !== null) === disabled) return { outcome: CHANGED, audit: null };
    if (!disabled) {
      await updateStaffUser(transaction, person.id, { disabledAt: null, disabledBy: null }, now);
      return { outcome: CHANGED, audit: audit('staff.enabled', person, { disabled: true }, { disabled: false }) };
    }
    if (actor === `staff:${person.id}`) return { outcome: { kind: 'oneself' }, audit: null };
    if (await isLastOfAll(transaction, person)) return { outcome: { kind: 'last_owner' }, audit: null };
    await updateStaffUser(transaction, person.id, { disabledAt: now, disabledBy: actor }, now);
    await revokeStaffLinks(transaction, { kind: 'password_reset', email: person.email }, now);
    const sessionsEnded = await deleteStaffSessions(transaction, { staffId: person.id });
    const tokensRevoked = await endTokensOf(transaction, person.id, { revokedAt: now, revokedBy: actor });
    const createdBy = `staff:${person.id}`;
    const invitationsWithdrawn = await revokeStaffLinks(transaction, { kind: 'invitation', createdBy }, now);
    const resetLinksWithdrawn = await revokeStaffLinks(transaction, { kind: 'password_reset', createdBy }, now);
    const after = { disabled: true, sessionsEnded, tokensRevoked, invitationsWithdrawn, resetLinksWithdrawn };
    return { outcome: CHANGED, audit: audit('staff.disabled', person, { disabled: false }, after) };
  });
}

/** Sets whether a staff user must have a second step. Until they have set it up, they may do nothing else. */
export function requireTwoFactor(
  context: StaffContext,
  command: ChangeStaffUserCommand & { readonly required: boolean },
): Promise<ChangeStaffUserOutcome> {
  const { required } = command;
  return changePerson(context, command, async (transaction, person, now) => {
    if (person.twoFactorRequired === required) return { outcome: CHANGED, audit: null };
    await updateStaffUser(transaction, person.id, { twoFactorRequired: required }, now);
    const action = required ? 'staff.two_factor_required' : 'staff.two_factor_made_optional';
    return { outcome: CHANGED, audit: audit(action, person, { required: !required }, { required }) };
  });
}

/** Removes a second step whose phone and backup codes are lost, and ends the staff user's sessions and tokens. */
export function resetTwoFactor(context: StaffContext, command: ChangeStaffUserCommand): Promise<ChangeStaffUserOutcome> {
  return changePerson(context, command, async (transaction, person, now) => {
    if (!person.twoFactorEnabled) return { outcome: CHANGED, audit: null };
    await deleteStaffTwoFactor(transaction, person.id);
    await updateStaffUser(transaction, person.id, { twoFactorEnabled: false }, now);
    const sessionsEnded = await deleteStaffSessions(transaction, { staffId: person.id });
    const revokedBy = command.actor;
    const tokensRevoked = await endTokensOf(transaction, person.id, { revokedAt: now, revokedBy });
    const after = { twoFactor: false, sessionsEnded, tokensRevoked };
    return { outcome: CHANGED, audit: audit('staff.two_factor_reset', person, { twoFactor: true }, after) };
  });
}

async function isLastOfAll(transaction: Prisma.TransactionClient, person: StaffUserRow): Promise<boolean> {
  const everywhere = { staffId: person.id, merchantId: null };
  const { role } = person.grants.find(({ merchantId }) => merchantId === NIL_ID) ?? {};
  return isLastOwner(transaction, everywhere, role);
}

function changePerson(
  context: StaffContext,
  { staffId, merchantScope, actor }: ChangeStaffUserCommand,
  change: (transaction: Prisma.TransactionClient, person: StaffUserRow, now: Date) => Promise<TeamChange<ChangeStaffUserOutcome>>,
): Promise<ChangeStaffUserOutcome> {
  return changeTeam<ChangeStaffUserOutcome>(context, actor, async (transaction, now) => {
    const person = await findStaffUser(transaction, staffId);
    if (person === null || !coversStaffUser(merchantScope, person)) return { outcome: { kind: 'not_found' }, audit: null };
    return change(transaction, person, now);
  });
}

function audit(
  action: string,
  { id }: StaffUserRow,
  before: Record<string, boolean | number>,
  after: Record<string, boolean | number>,
): NonNullable<TeamChange<unknown>['audit']> {
  return { action, objectType: 'staff', objectId: id, before, after };
}

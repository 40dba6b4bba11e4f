import type { Prisma, StaffLink } from '@switchyard/db/client';
import type { StaffContext } from '../context.ts';
import { newLinkToken } from '../links/link-token.ts';
import { findStaffLink, revokeStaffLinks, updateStaffLink } from '../links/queries.ts';
import { grantsOfLink, INVITATION_MS, type IssuedLink } from '../links/staff-link.ts';
import { changeTeam, type TeamChange, tenantOfGrants } from '../users/change-team.ts';
import { type MerchantScope, scopeCovers } from '../users/merchant-scope.ts';

/** Selects an invitation that the caller may manage. */
export interface ChangeInvitationCommand {
  readonly linkId: string;
  readonly merchantScope: MerchantScope;
  readonly actor: string;
}

/** There is no such open invitation, or it grants a role outside the merchant scope. */
interface NotFound {
  readonly kind: 'not_found';
}

/** A new link that replaces the earlier one, or why there is none. */
export type RenewInvitationOutcome =
  | { readonly kind: 'renewed'; readonly email: string; readonly name: string; readonly link: IssuedLink }
  | NotFound;

/** Creates a new link for an invitation, valid for seven days; the old one stops working. */
export function renewInvitation(context: StaffContext, command: ChangeInvitationCommand): Promise<RenewInvitationOutcome> {
  return changeInvitation<RenewInvitationOutcome>(context, command, async (transaction, link, now) => {
    await revokeStaffLinks(transaction, { kind: 'invitation', email: link.email }, now);
    const { token, tokenHash } = newLinkToken();
    const expiresAt = new Date(now.getTime() + INVITATION_MS);
    await updateStaffLink(transaction, link.id, { tokenHash, expiresAt, revokedAt: null });
    const issued = { linkId: link.id, token, expiresAt };
    return {
      outcome: { kind: 'renewed', email: link.email, name: link.name ?? '', link: issued },
      audit: audit(
        'staff.invitation_renewed',
        link,
        { expiresAt: link.expiresAt.toISOString() },
        { expiresAt: expiresAt.toISOString() },
      ),
    };
  });
}

/** Result of withdrawing an invitation. */
export type WithdrawInvitationOutcome = { readonly kind: 'withdrawn' } | NotFound;

/** Withdraws an invitation: its link stops working. */
export function withdrawInvitation(context: StaffContext, command: ChangeInvitationCommand): Promise<WithdrawInvitationOutcome> {
  return changeInvitation<WithdrawInvitationOutcome>(context, command, async (transaction, link, now) => {
    if (link.revokedAt !== null) return { outcome: { kind: 'withdrawn' }, audit: null };
    await updateStaffLink(transaction, link.id, { revokedAt: now });
    return { outcome: { kind: 'withdrawn' }, audit: audit('staff.invitation_withdrawn', link, { email: link.email }, null) };
  });
}

/** Result of restoring a withdrawn invitation. */
export type RestoreInvitationOutcome = { readonly kind: 'restored' } | NotFound;

/** Undoes a withdrawal: the original link works again, until its original expiry. */
export function restoreInvitation(context: StaffContext, command: ChangeInvitationCommand): Promise<RestoreInvitationOutcome> {
  return changeInvitation<RestoreInvitationOutcome>(context, command, async (transaction, link, now) => {
    if (link.revokedAt === null) return { outcome: { kind: 'restored' }, audit: null };
    await revokeStaffLinks(transaction, { kind: 'invitation', email: link.email }, now);
    await updateStaffLink(transaction, link.id, { revokedAt: null });
    return { outcome: { kind: 'restored' }, audit: audit('staff.invitation_restored', link, null, { email: link.email }) };
  });
}

function changeInvitation<Outcome>(
  context: StaffContext,
  { linkId, merchantScope, actor }: ChangeInvitationCommand,
  change: (transaction: Prisma.TransactionClient, link: StaffLink, now: Date) => Promise<TeamChange<Outcome>>,
): Promise<Outcome | NotFound> {
  return changeTeam<Outcome | NotFound>(context, actor, async (transaction, now) => {
    const link = await findStaffLink(transaction, linkId);
    if (link === null || link.kind !== 'invitation' || link.usedAt !== null)
      return { outcome: { kind: 'not_found' }, audit: null };
    const grants = grantsOfLink(link);
    if (!grants.every(({ merchantId }) => scopeCovers(merchantScope, merchantId)))
      return { outcome: { kind: 'not_found' }, audit: null };
    return { ...(await change(transaction, link, now)), tenantId: tenantOfGrants(grants) };
  });
}

function audit(
  action: string,
  { id }: StaffLink,
  before: Record<string, string> | null,
  after: Record<string, string> | null,
): NonNullable<TeamChange<unknown>['audit']> {
  return { action, objectType: 'invitation', objectId: id, before, after };
}

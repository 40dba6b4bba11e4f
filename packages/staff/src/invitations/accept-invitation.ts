import type { StaffContext } from '../context.ts';
import { linkTokenHash } from '../links/link-token.ts';
import { takeStaffLink, updateStaffLink } from '../links/queries.ts';
import { grantsForLink, grantsOfLink, isOpen } from '../links/staff-link.ts';
import { changeTeam } from '../users/change-team.ts';
import { findStaffUserByEmail, insertStaffUser } from '../users/queries.ts';
import { staffName } from './staff-fields.ts';

/** An invited person's answer to an invitation's link. */
export interface AcceptInvitationCommand {
  readonly token: string;
  /** The name as the staff user entered it. */
  readonly name: string;
  /** Hash of the chosen password. */
  readonly passwordHash: string;
}

/** The new staff user, or why there is none. */
export type AcceptInvitationOutcome =
  | { readonly kind: 'accepted'; readonly staffId: string; readonly email: string }
  | { readonly kind: 'invalid_name' }
  /** The link was used, withdrawn, has expired, or never existed. */
  | { readonly kind: 'not_found' };

/** Creates the invited staff user with the roles of the invitation. The link works once. */
export async function acceptInvitation(
  context: StaffContext,
  command: AcceptInvitationCommand,
): Promise<AcceptInvitationOutcome> {
  const tokenHash = linkTokenHash(command.token);
  const name = staffName.safeParse(command.name);
  if (!name.success) return { kind: 'invalid_name' };
  if (tokenHash === null) return { kind: 'not_found' };
  return changeTeam<AcceptInvitationOutcome>(context, 'system:invitation', async (transaction, now) => {
    const link = await takeStaffLink(transaction, tokenHash);
    if (link?.kind !== 'invitation' || !isOpen(link, now)) return { outcome: { kind: 'not_found' }, audit: null };
    const { email, twoFactorRequired, createdBy } = link;
    if ((await findStaffUserByEmail(transaction, email)) !== null) return { outcome: { kind: 'not_found' }, audit: null };
    const staffId = context.newId();
    const grants = grantsOfLink(link);
    const person = { id: staffId, credentialId: context.newId(), email, name: name.data, passwordHash: command.passwordHash };
    const granted = grantsForLink(grants).map((grant) => ({ ...grant, grantedBy: createdBy }));
    await insertStaffUser(transaction, { ...person, twoFactorRequired, grants: granted }, now);
    await updateStaffLink(transaction, link.id, { usedAt: now, staffId });
    const after = { email, name: name.data, invitation: link.id, invitedBy: createdBy, twoFactorRequired };
    return {
      outcome: { kind: 'accepted', staffId, email },
      actor: `staff:${staffId}`,
      audit: {
        action: 'staff.joined',
        objectType: 'staff',
        objectId: staffId,
        before: null,
        after: { ...after, grants: grants.map(({ merchantId, role }) => ({ merchantId, role })) },
      },
    };
  });
}

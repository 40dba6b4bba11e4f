import { isUuid } from '@switchyard/db';
import type { Prisma, StaffLink } from '@switchyard/db/client';
import { findMerchantRow } from '@switchyard/merchants';
import { type FieldProblem, fieldProblems } from '@switchyard/runtime';
import { z } from 'zod';
import type { StaffContext } from '../context.ts';
import { staffEmail, staffName } from '../entered-fields.ts';
import { changeTeam, type TeamChange, tenantOfGrants } from '../grants/change-team.ts';
import {
  findOpenLink,
  grantsForLink,
  grantsOfLink,
  type IssuedLink,
  issueStaffLink,
  LINK_MS,
  newLinkToken,
  revokeStaffLinks,
} from '../links/staff-link.ts';
import { type MerchantScope, type RoleFor, scopeCovers } from '../permissions/merchant-scope.ts';
import { findRole } from '../permissions/stored-role.ts';
import { findStaffUserByEmail, insertStaffUser } from '../users/queries.ts';

/** Asks to invite a person as staff user. */
interface InviteStaffCommand {
  readonly email: string;
  readonly name: string;
  /** One role for a merchant, or for all of them. */
  readonly grants: readonly RoleFor[];
  /** True if the staff user has to set up a second step before anything else. */
  readonly twoFactorRequired: boolean;
  readonly merchantScope: MerchantScope;
  readonly actor: string;
}

/** The invitation with its link, returned only once, or why there is none. */
type InviteStaffOutcome =
  | { readonly kind: 'invited'; readonly email: string; readonly name: string; readonly link: IssuedLink }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  /** A staff user with this address exists already and needs a grant instead. */
  | { readonly kind: 'exists'; readonly staffId: string; readonly name: string }
  | { readonly kind: 'unknown_merchant' }
  | { readonly kind: 'unknown_role' }
  | { readonly kind: 'forbidden' };

const GRANTS_MAX = 200;

const schema = z.object({
  email: staffEmail,
  name: staffName,
  grants: z
    .array(z.unknown())
    .min(1, 'must hold at least one role')
    .max(GRANTS_MAX)
    .refine(
      (grants) =>
        new Set(grants.map((grant) => z.object({ merchantId: z.string().nullable() }).parse(grant).merchantId)).size ===
        grants.length,
      'must name each merchant once',
    ),
});

/** Creates an invitation with a link that works once, for seven days. An earlier invitation of the same address stops working. */
export async function inviteStaff(context: StaffContext, command: InviteStaffCommand): Promise<InviteStaffOutcome> {
  const parsed = schema.safeParse(command);
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  const { email, name } = parsed.data;
  const { grants, twoFactorRequired, merchantScope, actor } = command;
  return changeTeam<InviteStaffOutcome>(context, actor, async (transaction, now) => {
    if (!grants.every(({ merchantId }) => scopeCovers(merchantScope, merchantId))) return { outcome: { kind: 'forbidden' } };
    for (const { merchantId } of grants) {
      if (merchantId !== null && (await findMerchantRow(transaction, merchantId)) === null) {
        return { outcome: { kind: 'unknown_merchant' } };
      }
    }
    for (const { role } of grants) {
      if ((await findRole(transaction, role)) === null) return { outcome: { kind: 'unknown_role' } };
    }
    const existing = await findStaffUserByEmail(transaction, email);
    if (existing !== null) {
      return { outcome: { kind: 'exists', staffId: existing.id, name: existing.name } };
    }
    const asked = { kind: 'invitation', email, name, staffId: null, twoFactorRequired, createdBy: actor, grants } as const;
    const link = await issueStaffLink(transaction, context.newId(), asked, now);
    const after = { email, name, twoFactorRequired, grants: grants.map(({ merchantId, role }) => ({ merchantId, role })) };
    return {
      outcome: { kind: 'invited', email, name, link },
      audit: { action: 'staff.invited', objectType: 'invitation', objectId: link.linkId, before: null, after },
      tenantId: tenantOfGrants(grants),
    };
  });
}

/** An invited person's answer to an invitation's link. */
interface AcceptInvitationCommand {
  readonly token: string;
  /** The name as the staff user entered it. */
  readonly name: string;
  /** Hash of the chosen password. */
  readonly passwordHash: string;
}

/** The new staff user, or why there is none. */
type AcceptInvitationOutcome =
  | { readonly kind: 'accepted'; readonly staffId: string; readonly email: string }
  | { readonly kind: 'invalid_name' }
  /** The link was used, withdrawn, has expired, or never existed. */
  | { readonly kind: 'not_found' };

/** Creates the invited staff user with the roles of the invitation. The link works once. */
export async function acceptInvitation(
  context: StaffContext,
  command: AcceptInvitationCommand,
): Promise<AcceptInvitationOutcome> {
  const name = staffName.safeParse(command.name);
  if (!name.success) return { kind: 'invalid_name' };
  return changeTeam<AcceptInvitationOutcome>(context, 'system:invitation', async (transaction, now) => {
    const link = await findOpenLink(transaction, command.token, now);
    if (link?.kind !== 'invitation') return { outcome: { kind: 'not_found' } };
    const { email, twoFactorRequired, createdBy } = link;
    if ((await findStaffUserByEmail(transaction, email)) !== null) return { outcome: { kind: 'not_found' } };
    const staffId = context.newId();
    const grants = await existing(transaction, grantsOfLink(link));
    const person = { id: staffId, credentialId: context.newId(), email, name: name.data, passwordHash: command.passwordHash };
    const granted = grantsForLink(grants).map((grant) => ({ ...grant, grantedBy: createdBy }));
    await insertStaffUser(transaction, { ...person, twoFactorRequired, grants: granted }, now);
    await transaction.staffLink.update({ where: { id: link.id }, data: { usedAt: now, staffId } });
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

/** The grants whose roles there still are. */
async function existing(transaction: Prisma.TransactionClient, grants: readonly RoleFor[]): Promise<RoleFor[]> {
  const found = [];
  for (const grant of grants) if ((await findRole(transaction, grant.role)) !== null) found.push(grant);
  return found;
}

/** Selects an invitation that the caller may manage. */
interface ChangeInvitationCommand {
  readonly linkId: string;
  readonly merchantScope: MerchantScope;
  readonly actor: string;
}

/** There is no such open invitation, or it grants a role outside the merchant scope. */
interface NotFound {
  readonly kind: 'not_found';
}

/** A new link that replaces the earlier one, or why there is none. */
type RenewInvitationOutcome =
  | { readonly kind: 'renewed'; readonly email: string; readonly name: string; readonly link: IssuedLink }
  | NotFound;

/** Creates a new link for an invitation, valid for seven days; the old one stops working. */
export function renewInvitation(context: StaffContext, command: ChangeInvitationCommand): Promise<RenewInvitationOutcome> {
  return changeInvitation<RenewInvitationOutcome>(context, command, async (transaction, link, now) => {
    await revokeStaffLinks(transaction, { kind: 'invitation', email: link.email }, now);
    const { token, tokenHash } = newLinkToken();
    const expiresAt = new Date(now.getTime() + LINK_MS.invitation);
    await transaction.staffLink.update({ where: { id: link.id }, data: { tokenHash, expiresAt, revokedAt: null } });
    const issued = { linkId: link.id, token, expiresAt };
    return {
      outcome: { kind: 'renewed', email: link.email, name: link.name ?? '', link: issued },
      audit: audit('staff.invitation_renewed', link, endOf(link.expiresAt), endOf(expiresAt)),
    };
  });
}

/** Result of withdrawing an invitation. */
type WithdrawInvitationOutcome = { readonly kind: 'withdrawn' } | NotFound;

/** Withdraws an invitation: its link stops working. */
export function withdrawInvitation(context: StaffContext, command: ChangeInvitationCommand): Promise<WithdrawInvitationOutcome> {
  return changeInvitation<WithdrawInvitationOutcome>(context, command, async (transaction, link, now) => {
    if (link.revokedAt !== null) return { outcome: { kind: 'withdrawn' } };
    await transaction.staffLink.update({ where: { id: link.id }, data: { revokedAt: now } });
    return { outcome: { kind: 'withdrawn' }, audit: audit('staff.invitation_withdrawn', link, { email: link.email }, null) };
  });
}

/** Result of restoring a withdrawn invitation. */
type RestoreInvitationOutcome = { readonly kind: 'restored' } | NotFound;

/** Undoes a withdrawal: the original link works again, until its original expiry. */
export function restoreInvitation(context: StaffContext, command: ChangeInvitationCommand): Promise<RestoreInvitationOutcome> {
  return changeInvitation<RestoreInvitationOutcome>(context, command, async (transaction, link, now) => {
    if (link.revokedAt === null) return { outcome: { kind: 'restored' } };
    await revokeStaffLinks(transaction, { kind: 'invitation', email: link.email }, now);
    await transaction.staffLink.update({ where: { id: link.id }, data: { revokedAt: null } });
    return { outcome: { kind: 'restored' }, audit: audit('staff.invitation_restored', link, null, { email: link.email }) };
  });
}

function changeInvitation<Outcome>(
  context: StaffContext,
  { linkId, merchantScope, actor }: ChangeInvitationCommand,
  change: (transaction: Prisma.TransactionClient, link: StaffLink, now: Date) => Promise<TeamChange<Outcome>>,
): Promise<Outcome | NotFound> {
  return changeTeam<Outcome | NotFound>(context, actor, async (transaction, now) => {
    const link = isUuid(linkId) ? await transaction.staffLink.findUnique({ where: { id: linkId } }) : null;
    if (link?.kind !== 'invitation' || link.usedAt !== null) return { outcome: { kind: 'not_found' } };
    const grants = grantsOfLink(link);
    const isCovered = grants.every(({ merchantId }) => scopeCovers(merchantScope, merchantId));
    if (!isCovered) return { outcome: { kind: 'not_found' } };
    return { ...(await change(transaction, link, now)), tenantId: tenantOfGrants(grants) };
  });
}

const endOf = (expiresAt: Date) => ({ expiresAt: expiresAt.toISOString() });

function audit(
  action: string,
  { id }: StaffLink,
  before: Record<string, string> | null,
  after: Record<string, string> | null,
): NonNullable<TeamChange<unknown>['audit']> {
  return { action, objectType: 'invitation', objectId: id, before, after };
}

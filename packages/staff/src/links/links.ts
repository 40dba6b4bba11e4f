import type { Prisma } from '@switchyard/db/client';
import { findMerchantRow } from '@switchyard/merchants';
import type { StaffContext } from '../context.ts';
import { staffEmail } from '../entered-fields.ts';
import { changeTeam, type TeamChange } from '../grants/change-team.ts';
import { endAccess } from '../machine-tokens/queries.ts';
import { coversStaffUser, type MerchantScope } from '../permissions/merchant-scope.ts';
import type { Role } from '../permissions/permissions.ts';
import { findRole } from '../permissions/stored-role.ts';
import { findStaffUser, findStaffUserByEmail, type StaffUserRow, setStaffPassword } from '../users/queries.ts';
import { findOpenLink, grantsOfLink, type IssuedLink, issueStaffLink } from './staff-link.ts';

export type { IssuedLink } from './staff-link.ts';

/** A link to reset a password, returned only once, or why there is none. */
type MakeResetLinkOutcome =
  | { readonly kind: 'made'; readonly email: string; readonly name: string; readonly link: IssuedLink }
  /** Unknown, or outside the merchant scope; of a request from the sign-in page, disabled too. */
  | { readonly kind: 'not_found' }
  /** The break-glass owner asks for a link from the sign-in page alone, or another one is named first. */
  | { readonly kind: 'break_glass' };

/**
 * Creates a password reset link for a staff user, valid once and for an hour. Earlier ones stop working. It works for a disabled one
 * too, who stays disabled; their old password ends at once, so that it opens nothing when they are enabled.
 */
export function makeResetLink(
  context: StaffContext,
  command: { readonly staffId: string; readonly merchantScope: MerchantScope; readonly actor: string },
): Promise<MakeResetLinkOutcome> {
  return changeTeam<MakeResetLinkOutcome>(context, command.actor, async (transaction, now) => {
    const person = await findStaffUser(transaction, command.staffId);
    if (person === null || !coversStaffUser(command.merchantScope, person)) return NOT_FOUND;
    if (person.breakGlass) return { outcome: { kind: 'break_glass' } };
    if (person.disabledAt !== null) await setStaffPassword(transaction, person.id, null, now);
    return makeLink(context, transaction, person, command.actor, now);
  });
}

/** The same by address, for a request from the sign-in page. Only the e-mail to that address may reveal the outcome. */
export function requestReset(context: StaffContext, command: { readonly email: string }): Promise<MakeResetLinkOutcome> {
  return changeTeam<MakeResetLinkOutcome>(context, 'system:sign-in-page', async (transaction, now) => {
    const email = staffEmail.safeParse(command.email);
    const person = email.success ? await findStaffUserByEmail(transaction, email.data) : null;
    if (person === null || person.disabledAt !== null) return NOT_FOUND;
    return makeLink(context, transaction, person, 'system:sign-in-page', now);
  });
}

const NOT_FOUND: TeamChange<MakeResetLinkOutcome> = { outcome: { kind: 'not_found' } };

async function makeLink(
  context: StaffContext,
  transaction: Prisma.TransactionClient,
  { id: staffId, email, name, disabledAt }: StaffUserRow,
  createdBy: string,
  now: Date,
): Promise<TeamChange<MakeResetLinkOutcome>> {
  const asked = { kind: 'password_reset', email, name: null, staffId, twoFactorRequired: false, createdBy, grants: [] } as const;
  const link = await issueStaffLink(transaction, context.newId(), asked, now);
  const after = { expiresAt: link.expiresAt.toISOString(), ...(disabledAt !== null && { oldPasswordEnded: true }) };
  return {
    outcome: { kind: 'made', email, name, link },
    audit: { action: 'staff.reset_link_made', objectType: 'staff', objectId: staffId, before: null, after },
  };
}

/** Result of resetting a password. */
type ResetPasswordOutcome =
  | { readonly kind: 'reset'; readonly email: string }
  /** The link was used, withdrawn, has expired, or never existed. */
  | { readonly kind: 'not_found' };

/** Sets a new password by a link. The link works once, and the staff user's sessions and tokens end. */
export async function resetPassword(
  context: StaffContext,
  command: { readonly token: string; readonly passwordHash: string },
): Promise<ResetPasswordOutcome> {
  return changeTeam<ResetPasswordOutcome>(context, 'system:reset-link', async (transaction, now) => {
    const link = await findOpenLink(transaction, command.token, now);
    const person = link?.kind === 'password_reset' ? await findStaffUser(transaction, link.staffId ?? '') : null;
    if (link === null || person === null) return { outcome: { kind: 'not_found' } };
    const actor = `staff:${person.id}`;
    await setStaffPassword(transaction, person.id, command.passwordHash, now);
    const ended = await endAccess(transaction, person.id, { revokedAt: now, revokedBy: actor });
    await transaction.staffLink.update({ where: { id: link.id }, data: { usedAt: now } });
    const after = { linkMadeBy: link.createdBy, ...ended };
    return {
      outcome: { kind: 'reset', email: person.email },
      actor,
      audit: { action: 'staff.password_reset', objectType: 'staff', objectId: person.id, before: null, after },
    };
  });
}

interface Email {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Public address and mailer that links are sent with. */
export interface LinkSending {
  /** Our own address, as staff users reach it. */
  readonly publicUrl: string;
  /** Null where e-mail is not configured; throws when an e-mail could not be handed over. */
  readonly mailer: { send(email: Email): Promise<void> } | null;
  readonly onError: (error: unknown, message: string) => void;
}

/** Result of sending a link by e-mail, besides showing it to the staff user who created it. */
type Delivery = 'sent' | 'failed' | 'not_set_up';

/** Purpose of a link in an e-mail. */
export type LinkPurpose = 'invitation' | 'password_reset';

const EMAILS: Readonly<Record<LinkPurpose, Readonly<Record<'path' | 'subject' | 'request' | 'end', string>>>> = {
  invitation: {
    path: '/invitation',
    subject: 'You are invited to Switchyard',
    request: 'you are invited to the Switchyard dashboard. Open this link to choose a password:',
    end: '',
  },
  password_reset: {
    path: '/reset-password',
    subject: 'A new password for Switchyard',
    request: 'open this link to choose a new password for Switchyard:',
    end: 'If you did not ask for it, do nothing: your password stays as it is.\n',
  },
};

/** The URL of a link. Its secret follows the `#`, which browsers never send. */
export function linkAddress(publicUrl: string, purpose: LinkPurpose, { token }: IssuedLink): string {
  return `${publicUrl}${EMAILS[purpose].path}#${token}`;
}

/** E-mails a link to its recipient, where e-mail is configured. */
export async function deliverLink(
  { publicUrl, mailer, onError }: LinkSending,
  purpose: LinkPurpose,
  { email, name }: { readonly email: string; readonly name: string },
  link: IssuedLink,
): Promise<Delivery> {
  if (mailer === null) return 'not_set_up';
  const { subject, request, end } = EMAILS[purpose];
  const until = link.expiresAt.toISOString().replace('T', ' ').slice(0, 16);
  const text = `Hello ${name},\n\n${request}\n\n${linkAddress(publicUrl, purpose, link)}\n\nIt works once, until ${until} UTC.\n${end}`;
  try {
    await mailer.send({ to: email, subject, text });
    return 'sent';
  } catch (error) {
    onError(error, `could not send an e-mail for ${purpose}`);
    return 'failed';
  }
}

/** The description of a link for its holder. */
type LinkDescription =
  | {
      readonly kind: 'invitation';
      readonly email: string;
      readonly name: string;
      /** The inviting staff user; null when they no longer exist. */
      readonly invitedBy: string | null;
      /** `merchant` null for all merchants. */
      readonly roles: readonly { readonly merchant: string | null; readonly role: Role }[];
      readonly twoFactorRequired: boolean;
      readonly expiresAt: Date;
    }
  | { readonly kind: 'password_reset'; readonly email: string; readonly expiresAt: Date }
  /** Used, withdrawn, expired, or never issued. */
  | { readonly kind: 'not_found' };

/** Describes a link without using it. */
export async function describeLink({ resources, now }: StaffContext, token: string): Promise<LinkDescription> {
  const { prisma } = resources.database;
  const link = await findOpenLink(prisma, token, now());
  if (link === null) return { kind: 'not_found' };
  const { kind, email, name, twoFactorRequired, createdBy, expiresAt } = link;
  if (kind === 'password_reset') return { kind, email, expiresAt };
  const inviter = await findStaffUser(prisma, createdBy.replace(/^staff:/, ''));
  const roles = [];
  for (const { merchantId, role } of grantsOfLink(link)) {
    const merchant = merchantId === null ? null : await findMerchantRow(prisma, merchantId);
    const found = await findRole(prisma, role);
    if (found !== null) roles.push({ merchant: merchant?.name ?? null, role: found });
  }
  return { kind, email, name: name ?? '', invitedBy: inviter?.name ?? null, roles, twoFactorRequired, expiresAt };
}

import type { StaffRole } from '@switchyard/db/client';
import { findMerchantRow } from '@switchyard/merchants';
import type { StaffContext } from '../context.ts';
import { findStaffUser } from '../users/queries.ts';
import { linkTokenHash } from './link-token.ts';
import { takeStaffLink } from './queries.ts';
import { grantsOfLink, isOpen } from './staff-link.ts';

/** The description of a link for its holder. */
export type LinkDescription =
  | {
      readonly kind: 'invitation';
      readonly email: string;
      readonly name: string;
      /** The inviting staff user; null when they no longer exist. */
      readonly invitedBy: string | null;
      /** `merchant` null for all merchants. */
      readonly roles: readonly { readonly merchant: string | null; readonly role: StaffRole }[];
      readonly twoFactorRequired: boolean;
      readonly expiresAt: Date;
    }
  | { readonly kind: 'password_reset'; readonly email: string; readonly expiresAt: Date }
  /** Used, withdrawn, expired, or never issued. */
  | { readonly kind: 'not_found' };

/** Describes a link without using it. */
export async function describeLink(context: StaffContext, token: string): Promise<LinkDescription> {
  const tokenHash = linkTokenHash(token);
  if (tokenHash === null) return { kind: 'not_found' };
  return context.resources.database.prisma.$transaction(async (transaction): Promise<LinkDescription> => {
    const link = await takeStaffLink(transaction, tokenHash);
    if (link === null || !isOpen(link, context.now())) return { kind: 'not_found' };
    const { email, expiresAt } = link;
    if (link.kind === 'password_reset') return { kind: 'password_reset', email, expiresAt };
    const inviter = await findStaffUser(transaction, link.createdBy.replace(/^staff:/, ''));
    const roles = [];
    for (const { merchantId, role } of grantsOfLink(link)) {
      const merchant = merchantId === null ? null : await findMerchantRow(transaction, merchantId);
      roles.push({ merchant: merchant?.name ?? null, role });
    }
    const { name, twoFactorRequired } = link;
    return { kind: 'invitation', email, name: name ?? '', invitedBy: inviter?.name ?? null, roles, twoFactorRequired, expiresAt };
  });
}

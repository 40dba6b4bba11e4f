import { NIL_ID } from '@switchyard/db';
import type { MachineScope } from '@switchyard/db/client';
import type { StaffContext } from '../context.ts';
import { grantsOfLink } from '../links/staff-link.ts';
import { coversStaffUser, type MerchantScope, type RoleFor, scopeCovers } from './merchant-scope.ts';
import { findStaffUser } from './queries.ts';

const LISTED_MAX = 500;

/** Tokens, invitations and roles that a staff user gave and that are still valid. */
export interface IssuedByStaff {
  readonly tokens: readonly {
    readonly tokenId: string;
    readonly name: string;
    readonly lastFour: string;
    readonly scopes: readonly MachineScope[];
    readonly createdAt: Date;
    readonly expiresAt: Date;
  }[];
  readonly invitations: readonly { readonly linkId: string; readonly email: string; readonly createdAt: Date }[];
  /** Roles they gave to others who can sign in, by an invitation too. */
  readonly roles: readonly (RoleFor & { readonly staffId: string; readonly name: string; readonly createdAt: Date })[];
}

/**
 * Tokens, invitations and roles that a staff user gave and that are still valid, newest first, at most 500 of each kind; null when they are outside
 * the merchant scope.
 */
export async function listIssued(
  { resources, now }: StaffContext,
  { staffId, merchantScope }: { readonly staffId: string; readonly merchantScope: MerchantScope },
): Promise<IssuedByStaff | null> {
  const { prisma } = resources.database;
  const person = await findStaffUser(prisma, staffId);
  if (person === null || !coversStaffUser(merchantScope, person)) return null;
  const actor = `staff:${staffId}`;
  const newest = { orderBy: { createdAt: 'desc' }, take: LISTED_MAX } as const;
  const valid = { revokedAt: null, expiresAt: { gt: now() } };
  const [tokens, links, grants] = await Promise.all([
    prisma.machineToken.findMany({ where: { staffId, ...valid }, ...newest }),
    prisma.staffLink.findMany({ where: { kind: 'invitation', createdBy: actor, usedAt: null, ...valid }, ...newest }),
    prisma.staffGrant.findMany({
      where: { grantedBy: actor, staffId: { not: staffId }, staff: { disabledAt: null } },
      include: { staff: { select: { name: true } } },
      ...newest,
    }),
  ]);
  const inScope = ({ merchantId }: RoleFor) => scopeCovers(merchantScope, merchantId);
  return {
    tokens: tokens.map(({ id: tokenId, name, lastFour, scopes, createdAt, expiresAt }) => {
      return { tokenId, name, lastFour, scopes, createdAt, expiresAt };
    }),
    invitations: links
      .filter((link) => grantsOfLink(link).every(inScope))
      .map(({ id: linkId, email, createdAt }) => ({ linkId, email, createdAt })),
    roles: grants
      .map(({ merchantId, role, staffId: to, staff, createdAt }) => {
        return { merchantId: merchantId === NIL_ID ? null : merchantId, role, staffId: to, name: staff.name, createdAt };
      })
      .filter(inScope),
  };
}

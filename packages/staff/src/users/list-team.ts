import { NIL_ID } from '@switchyard/db';
import type { StaffContext } from '../context.ts';
import { listNeededApprovers } from '../grants/rule-approvers.ts';
import { listStaffInvitations } from '../links/queries.ts';
import { grantsOfLink } from '../links/staff-link.ts';
import { coversStaffUser, type MerchantScope, type RoleFor, scopeCovers } from './merchant-scope.ts';
import { listStaffUserRows } from './queries.ts';
import { readStaffNames } from './staff-names.ts';

/** A staff user as the caller may see them. */
export interface TeamMember {
  readonly staffId: string;
  readonly name: string;
  readonly email: string;
  readonly twoFactorEnabled: boolean;
  readonly twoFactorRequired: boolean;
  /** When they were disabled; null while enabled. */
  readonly disabledAt: Date | null;
  readonly joinedAt: Date;
  /** Last seen in an open session; null without one. */
  readonly lastSeenAt: Date | null;
  /** Their roles, as far as the caller may see them. */
  readonly roles: readonly RoleFor[];
  /**
   * Visible merchants whose rules need a second person and that this staff user cannot leave: fewer than two approvers would
   * remain.
   */
  readonly neededToApprove: readonly string[];
  /** True if the caller may manage the whole staff user, beyond roles for their own merchants. */
  readonly manageable: boolean;
}

/** An open or recently expired invitation as the caller may see it. */
export interface InvitationInTeam {
  readonly linkId: string;
  readonly email: string;
  readonly name: string;
  readonly roles: readonly RoleFor[];
  readonly twoFactorRequired: boolean;
  readonly invitedBy: string;
  readonly invitedAt: Date;
  readonly expiresAt: Date;
  readonly manageable: boolean;
}

/** Staff users and invitations that the caller may see. */
export interface Team {
  readonly people: readonly TeamMember[];
  /** Open invitations, and those that expired within the last 30 days. */
  readonly invitations: readonly InvitationInTeam[];
}

const EXPIRED_SHOWN_MS = 30 * 86_400_000;

/** Staff users and invitations: all, or those with roles for visible merchants. */
export async function listTeam(
  context: StaffContext,
  { readScope, merchantScope }: { readonly readScope: MerchantScope; readonly merchantScope: MerchantScope },
): Promise<Team> {
  const { database } = context.resources;
  const now = context.now();
  const [people, links, needed] = await Promise.all([
    listStaffUserRows(database, readScope.everywhere ? null : [NIL_ID, ...readScope.merchantIds]),
    listStaffInvitations(database, new Date(now.getTime() - EXPIRED_SHOWN_MS)),
    listNeededApprovers(context, readScope.everywhere ? null : readScope.merchantIds),
  ]);
  const inSight = ({ merchantId }: RoleFor) => merchantId === null || scopeCovers(readScope, merchantId);
  const names = await readStaffNames(
    database,
    links.map(({ createdBy }) => createdBy.replace(/^staff:/, '')),
  );
  return {
    people: people.map((person) => ({
      staffId: person.id,
      name: person.name,
      email: person.email,
      disabledAt: person.disabledAt,
      twoFactorEnabled: person.twoFactorEnabled,
      twoFactorRequired: person.twoFactorRequired,
      joinedAt: person.createdAt,
      lastSeenAt: person.lastSeenAt,
      roles: person.grants
        .map(({ merchantId, role }) => ({ merchantId: merchantId === NIL_ID ? null : merchantId, role }))
        .filter(inSight),
      neededToApprove: needed.get(person.id) ?? [],
      manageable: coversStaffUser(merchantScope, person),
    })),
    invitations: links
      .map((link) => ({ link, roles: grantsOfLink(link) }))
      .filter(({ roles }) => readScope.everywhere || roles.some(({ merchantId }) => scopeCovers(readScope, merchantId)))
      .map(({ link, roles }) => ({
        linkId: link.id,
        email: link.email,
        name: link.name ?? '',
        twoFactorRequired: link.twoFactorRequired,
        invitedBy: names.get(link.createdBy.replace(/^staff:/, '')) ?? 'Switchyard',
        invitedAt: link.createdAt,
        expiresAt: link.expiresAt,
        roles: roles.filter(inSight),
        manageable: roles.every(({ merchantId }) => scopeCovers(merchantScope, merchantId)),
      })),
  };
}

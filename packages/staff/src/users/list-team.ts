import { NIL_ID } from '@switchyard/db';
import type { MerchantsContext } from '@switchyard/merchants';
import { listNeededApprovers } from '../grants/rule-approvers.ts';
import { listStaffInvitations } from '../links/queries.ts';
import { grantsOfLink } from '../links/staff-link.ts';
import { listStaffUserRows, readStaffNames } from './queries.ts';
import { coversStaffUser, type Reach, type RoleFor, reaches } from './reach.ts';

export interface TeamMember {
  readonly staffId: string;
  readonly name: string;
  readonly email: string;
  readonly twoFactorEnabled: boolean;
  readonly twoFactorRequired: boolean;
  /** Since when they are not let in; null when they are. */
  readonly disabledAt: Date | null;
  readonly joinedAt: Date;
  /** Last seen in a session that has not ended; null when they are signed in nowhere. */
  readonly lastSeenAt: Date | null;
  /** Their roles, as far as whoever asks may see them. */
  readonly roles: readonly RoleFor[];
  /**
   * Merchants in sight whose rules need a second person and that this person cannot leave without one: fewer than two people would be
   * left who can approve.
   */
  readonly neededToApprove: readonly string[];
  /** Whether whoever asks may manage the person as a whole, beyond roles for their own merchants. */
  readonly manageable: boolean;
}

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

export interface Team {
  readonly people: readonly TeamMember[];
  /** Not accepted yet; those that ran out within the last 30 days too. */
  readonly invitations: readonly InvitationInTeam[];
}

const EXPIRED_SHOWN_MS = 30 * 86_400_000;

/** Who may do something, and who is invited to: everybody, or whoever has to do with the merchants in sight. */
export async function listTeam(
  context: MerchantsContext,
  { sight, reach }: { readonly sight: Reach; readonly reach: Reach },
): Promise<Team> {
  const { database } = context.resources;
  const now = context.now();
  const [people, links, needed] = await Promise.all([
    listStaffUserRows(database, sight.everywhere ? null : [NIL_ID, ...sight.merchantIds]),
    listStaffInvitations(database, new Date(now.getTime() - EXPIRED_SHOWN_MS)),
    listNeededApprovers(context, sight.everywhere ? null : sight.merchantIds),
  ]);
  const inSight = ({ merchantId }: RoleFor) => merchantId === null || reaches(sight, merchantId);
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
      manageable: coversStaffUser(reach, person),
    })),
    invitations: links
      .map((link) => ({ link, roles: grantsOfLink(link) }))
      .filter(({ roles }) => sight.everywhere || roles.some(({ merchantId }) => reaches(sight, merchantId)))
      .map(({ link, roles }) => ({
        linkId: link.id,
        email: link.email,
        name: link.name ?? '',
        twoFactorRequired: link.twoFactorRequired,
        invitedBy: names.get(link.createdBy.replace(/^staff:/, '')) ?? 'Switchyard',
        invitedAt: link.createdAt,
        expiresAt: link.expiresAt,
        roles: roles.filter(inSight),
        manageable: roles.every(({ merchantId }) => reaches(reach, merchantId)),
      })),
  };
}

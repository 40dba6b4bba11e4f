import { type JsonValue, NIL_ID } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';
import { z } from 'zod';
import type { StaffContext } from '../context.ts';
import { changeTeam, type TeamChange } from '../grants/change-team.ts';
import type { NeededDecision } from '../grants/needed-decisions.ts';
import { listNeededApprovers } from '../grants/rule-approvers.ts';
import { grantsOfLink } from '../links/staff-link.ts';
import { endAccess } from '../machine-tokens/queries.ts';
import {
  coversStaffUser,
  type MerchantScope,
  merchantOfGrant,
  type RoleFor,
  scopeCovers,
} from '../permissions/merchant-scope.ts';
import { roleKeyOfRow } from '../permissions/stored-role.ts';
import { findStaffUser, listStaffUserRows, type StaffUserRow } from '../users/queries.ts';
import { readStaffNames } from '../users/staff-names.ts';
import { disableStaffUser, neededForAudit } from './disable-staff-user.ts';

export { type CreateStaffUserOutcome, createStaffUser, type NewStaffUser } from '../users/create-staff-user.ts';

/** Selects a staff user that the caller may manage. */
interface ChangeStaffUserCommand {
  readonly staffId: string;
  readonly merchantScope: MerchantScope;
  readonly actor: string;
}

/** Result of changing a staff user, or the reason why it was refused. */
export type ChangeStaffUserOutcome =
  | {
      readonly kind: 'changed';
      /** Decisions that no one can take any more without this disabled person. */
      readonly neededFor?: readonly NeededDecision[];
    }
  /** Unknown, or outside the merchant scope. */
  | { readonly kind: 'not_found' }
  /** There is no other workspace owner. */
  | { readonly kind: 'last_owner' }
  /** Disabling oneself is refused. */
  | { readonly kind: 'oneself' }
  /** No one else changes the factors of the break-glass owner: another one is named first. */
  | { readonly kind: 'break_glass' }
  /** The provider that provisions them deactivated them: they are enabled there. */
  | { readonly kind: 'inactive_at_provider'; readonly provider: string };

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
    if ((person.disabledAt !== null) === disabled) return { outcome: CHANGED };
    if (!disabled) {
      const where = { userId: person.id, active: false, deletedAt: null };
      const inactive = await transaction.scimUser.findFirst({ where, select: { provider: { select: { name: true } } } });
      if (inactive !== null) {
        return { outcome: { kind: 'inactive_at_provider', provider: inactive.provider.name } };
      }
      await transaction.staffUser.update({ where: { id: person.id }, data: { disabledAt: null, updatedAt: now } });
      return { outcome: CHANGED, audit: audit('staff.enabled', person, { disabled: true }, { disabled: false }) };
    }
    if (actor === `staff:${person.id}`) return { outcome: { kind: 'oneself' } };
    const outcome = await disableStaffUser(transaction, person, actor, now);
    if (outcome.kind === 'last_owner') return { outcome };
    const { neededFor, ended } = outcome;
    const after = { disabled: true, ...ended, neededFor: neededForAudit(neededFor) };
    return { outcome: { kind: 'changed', neededFor }, audit: audit('staff.disabled', person, { disabled: false }, after) };
  });
}

/** Sets whether a staff user must have a second step. Until they have set it up, they may do nothing else. */
export function requireTwoFactor(
  context: StaffContext,
  command: ChangeStaffUserCommand & { readonly required: boolean },
): Promise<ChangeStaffUserOutcome> {
  const { required } = command;
  return changePerson(context, command, async (transaction, person, now) => {
    if (person.twoFactorRequired === required) return { outcome: CHANGED };
    if (!required && person.breakGlass) return { outcome: { kind: 'break_glass' } };
    await transaction.staffUser.update({ where: { id: person.id }, data: { twoFactorRequired: required, updatedAt: now } });
    const action = required ? 'staff.two_factor_required' : 'staff.two_factor_made_optional';
    return { outcome: CHANGED, audit: audit(action, person, { required: !required }, { required }) };
  });
}

/**
 * Removes a second step whose phone and backup codes are lost, and ends the staff user's sessions and tokens. Refused for the break-glass owner,
 * whose account one other owner could take over so: who names another one first opens a critical alert.
 */
export function resetTwoFactor(context: StaffContext, command: ChangeStaffUserCommand): Promise<ChangeStaffUserOutcome> {
  return changePerson(context, command, async (transaction, person, now) => {
    if (!person.twoFactorEnabled) return { outcome: CHANGED };
    if (person.breakGlass) return { outcome: { kind: 'break_glass' } };
    await transaction.staffTwoFactor.deleteMany({ where: { userId: person.id } });
    await transaction.staffUser.update({ where: { id: person.id }, data: { twoFactorEnabled: false, updatedAt: now } });
    const ended = await endAccess(transaction, person.id, { revokedAt: now, revokedBy: command.actor });
    const after = { twoFactor: false, ...ended };
    return { outcome: CHANGED, audit: audit('staff.two_factor_reset', person, { twoFactor: true }, after) };
  });
}

function changePerson(
  context: StaffContext,
  { staffId, merchantScope, actor }: ChangeStaffUserCommand,
  change: (transaction: Prisma.TransactionClient, person: StaffUserRow, now: Date) => Promise<TeamChange<ChangeStaffUserOutcome>>,
): Promise<ChangeStaffUserOutcome> {
  return changeTeam<ChangeStaffUserOutcome>(context, actor, async (transaction, now) => {
    const person = await findStaffUser(transaction, staffId);
    if (person === null || !coversStaffUser(merchantScope, person)) return { outcome: { kind: 'not_found' } };
    return change(transaction, person, now);
  });
}

function audit(
  action: string,
  { id }: StaffUserRow,
  before: Record<string, boolean | number>,
  after: Record<string, JsonValue>,
): NonNullable<TeamChange<unknown>['audit']> {
  return { action, objectType: 'staff', objectId: id, before, after };
}

const columnIds = z.array(z.string().min(1).max(60)).max(60);

/** A person's columns of one table. */
export const tableChoice = z.object({
  /** Ids of the columns shown, in order; null for the default ones. */
  columns: columnIds.nullable(),
  /** Ids of the columns that stay in sight when the table scrolls sideways. */
  pinned: columnIds,
});

/** A person's columns of one table. */
export type TableChoice = z.infer<typeof tableChoice>;

const tableChoices = z.record(z.string(), tableChoice).catch({});

/** The columns that a staff user chose, by the name of the table. */
export async function listTableChoices(
  { resources }: StaffContext,
  staffId: string,
): Promise<Readonly<Record<string, TableChoice>>> {
  const found = await resources.database.prisma.staffUser.findUnique({ where: { id: staffId }, select: { tables: true } });
  return tableChoices.parse(found?.tables);
}

/**
 * Keeps the columns that a staff user chose for a table; null for its default ones. Other tables' choices stay, also those made at the
 * same time. A preference, which no audit entry records.
 */
export async function setTableChoice(
  { resources, now }: StaffContext,
  { staffId, table, choice }: { readonly staffId: string; readonly table: string; readonly choice: TableChoice | null },
): Promise<void> {
  const kept = choice === null ? {} : { [table]: choice };
  await resources.database.prisma.$executeRaw`
    UPDATE staff_user SET tables = (tables - ${table}::text) || ${JSON.stringify(kept)}::jsonb, updated_at = ${now()}
    WHERE id = ${staffId}::uuid`;
}

/** A staff user as the caller may see them. */
interface TeamMember {
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
  /** Their roles, as far as the caller may see them; `group` is the provider's group that gives one, null for one given by hand. */
  readonly roles: (RoleFor & { readonly group: string | null })[];
  /** The provider that provisions them; null where none does. */
  readonly provisionedBy: string | null;
  /**
   * Visible merchants whose rules need a second person and that this staff user cannot leave: fewer than two approvers would
   * remain.
   */
  readonly neededToApprove: readonly string[];
  /** True if the caller may manage the whole staff user, beyond roles for their own merchants. */
  readonly manageable: boolean;
}

const EXPIRED_SHOWN_MS = 30 * 86_400_000;
const INVITATIONS_MAX = 500;

/** Staff users, and invitations that are open or expired within the last 30 days: all, or those with roles for visible merchants. */
export async function listTeam(
  context: StaffContext,
  { readScope, merchantScope }: { readonly readScope: MerchantScope; readonly merchantScope: MerchantScope },
) {
  const { database } = context.resources;
  const now = context.now();
  const [people, links, needed] = await Promise.all([
    listStaffUserRows(database, readScope.everywhere ? null : [NIL_ID, ...readScope.merchantIds]),
    database.prisma.staffLink.findMany({
      where: { kind: 'invitation', usedAt: null, revokedAt: null, expiresAt: { gt: new Date(now.getTime() - EXPIRED_SHOWN_MS) } },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: INVITATIONS_MAX,
    }),
    listNeededApprovers(context, readScope.everywhere ? null : readScope.merchantIds),
  ]);
  const inSight = ({ merchantId }: RoleFor) => merchantId === null || scopeCovers(readScope, merchantId);
  const names = await readStaffNames(
    database,
    links.map(({ createdBy }) => createdBy.replace(/^staff:/, '')),
  );
  return {
    people: people.map(
      (person): TeamMember => ({
        staffId: person.id,
        name: person.name,
        email: person.email,
        disabledAt: person.disabledAt,
        twoFactorEnabled: person.twoFactorEnabled,
        twoFactorRequired: person.twoFactorRequired,
        joinedAt: person.createdAt,
        lastSeenAt: person.lastSeenAt,
        roles: person.grants
          .map(({ merchantId, role, group }) => ({ merchantId: merchantOfGrant(merchantId), role, group }))
          .filter(inSight),
        provisionedBy: person.scimUser?.deletedAt === null ? person.scimUser.provider.name : null,
        neededToApprove: needed.get(person.id) ?? [],
        manageable: coversStaffUser(merchantScope, person),
      }),
    ),
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

const LISTED_MAX = 500;

/**
 * Tokens, invitations and roles that a staff user gave and that are still valid, newest first, at most 500 of each kind; null when they are outside
 * the merchant scope.
 */
export async function listIssued(
  { resources, now }: StaffContext,
  { staffId, merchantScope }: { readonly staffId: string; readonly merchantScope: MerchantScope },
) {
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
    // By an invitation too.
    roles: grants
      .map(({ merchantId, staffId: to, staff, createdAt, ...grant }) => {
        const role = roleKeyOfRow(grant);
        return { merchantId: merchantOfGrant(merchantId), role, staffId: to, name: staff.name, createdAt };
      })
      .filter(inScope),
  };
}

/** Sets the IANA time zone in which a staff user reads times; null for the workspace's. A preference, which no audit entry records. */
export async function setTimeZone(
  { resources, now }: StaffContext,
  { staffId, timeZone }: { readonly staffId: string; readonly timeZone: string | null },
): Promise<void> {
  await resources.database.prisma.staffUser.update({ where: { id: staffId }, data: { timeZone, updatedAt: now() } });
}

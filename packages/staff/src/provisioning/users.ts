import { isUuid, type JsonValue } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';
import type { StaffContext } from '../context.ts';
import { changeTeam } from '../grants/change-team.ts';
import { applyGroups } from '../group-roles/group-roles.ts';
import { disableStaffUser, neededForAudit } from '../team/disable-staff-user.ts';
import { findStaffUser, findStaffUserByEmail, isOfDomains, type StaffUserRow } from '../users/queries.ts';
import type { ScimAccess } from './tokens.ts';

/** The actor of what a provider changes. */
export const PROVISIONING_ACTOR = 'system:provisioning';

/** Most staff users: no more are listed. */
const PEOPLE_MAX = 2_000;
const NAME_MAX = 100;

/** A person as a provider writes them. */
export interface UserFields {
  readonly userName: string;
  readonly externalId: string | null;
  readonly givenName: string | null;
  readonly familyName: string | null;
  readonly displayName: string | null;
  /** In lower case. */
  readonly email: string;
  readonly active: boolean;
}

/** A person that a provider provisions. */
export interface ProvisionedUser {
  readonly userId: string;
  /** The name that colleagues read. */
  readonly name: string;
  readonly fields: UserFields;
  readonly groups: readonly { readonly groupId: string; readonly displayName: string }[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Why a person was not changed. */
export type UserRefusal =
  | { readonly kind: 'not_found' }
  /** Another person has this value. */
  | { readonly kind: 'taken'; readonly attribute: 'userName' | 'externalId' | 'emails' }
  | { readonly kind: 'too_many_people'; readonly limit: number }
  /** The provider speaks for the addresses of its own domains alone. */
  | { readonly kind: 'foreign_domain'; readonly domains: string }
  /** The sign-in of the break-glass owner depends on no provider. */
  | { readonly kind: 'break_glass' }
  /** There is no other workspace owner. */
  | { readonly kind: 'last_owner'; readonly name: string };

/** Result of creating or changing a person. */
export type SaveUserOutcome = { readonly kind: 'saved'; readonly user: ProvisionedUser } | UserRefusal;

const WITH_STAFF = {
  staff: { select: { name: true, email: true, disabledAt: true } },
  memberships: { select: { group: { select: { id: true, displayName: true } } }, orderBy: { groupId: 'asc' }, take: 500 },
} as const;

type ScimUserRow = Prisma.ScimUserGetPayload<{ include: typeof WITH_STAFF }>;

/** The fields of a person as the provider last wrote them. */
function fieldsOf({ userName, externalId, givenName, familyName, displayName, active, staff }: ScimUserRow): UserFields {
  return { userName: userName ?? staff.email, externalId, givenName, familyName, displayName, email: staff.email, active };
}

function toUser(row: ScimUserRow): ProvisionedUser {
  const fields = fieldsOf(row);
  return {
    userId: row.userId,
    name: row.staff.name,
    // An owner may have disabled a person whom the provider holds for active.
    fields: { ...fields, active: fields.active && row.staff.disabledAt === null },
    groups: row.memberships.map(({ group }) => ({ groupId: group.id, displayName: group.displayName })),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

async function findRow(client: Prisma.TransactionClient, providerId: string, userId: string): Promise<ScimUserRow | null> {
  if (!isUuid(userId)) return null;
  return client.scimUser.findFirst({ where: { userId, providerId, deletedAt: null }, include: WITH_STAFF });
}

/** A person of the provider; null when there is none. */
export async function findProvisionedUser(
  { resources }: StaffContext,
  { providerId }: ScimAccess,
  userId: string,
): Promise<ProvisionedUser | null> {
  const row = await findRow(resources.database.prisma, providerId, userId);
  return row && toUser(row);
}

/** Filter and page of the people of a provider, by equal values. */
export interface UserQuery {
  readonly userId?: string | undefined;
  readonly userName?: string | undefined;
  readonly externalId?: string | undefined;
  readonly email?: string | undefined;
  readonly displayName?: string | undefined;
  readonly skip: number;
  readonly limit: number;
}

/** People of the provider, in the order in which they came, and how many there are. */
export async function listProvisionedUsers(
  { resources }: StaffContext,
  { providerId }: ScimAccess,
  { userId, userName, externalId, email, displayName, skip, limit }: UserQuery,
): Promise<{ readonly users: readonly ProvisionedUser[]; readonly total: number }> {
  if (userId !== undefined && !isUuid(userId)) return { users: [], total: 0 };
  const where: Prisma.ScimUserWhereInput = {
    providerId,
    deletedAt: null,
    ...(userId !== undefined && { userId }),
    ...(userName !== undefined && { userNameKey: userName.toLowerCase() }),
    ...(externalId !== undefined && { externalId }),
    ...((email !== undefined || displayName !== undefined) && {
      staff: {
        ...(email !== undefined && { email: email.toLowerCase() }),
        ...(displayName !== undefined && { name: displayName }),
      },
    }),
  };
  const { scimUser } = resources.database.prisma;
  const total = await scimUser.count({ where });
  const orderBy: Prisma.ScimUserOrderByWithRelationInput[] = [{ createdAt: 'asc' }, { userId: 'asc' }];
  const rows = limit === 0 ? [] : await scimUser.findMany({ where, orderBy, skip, take: limit, include: WITH_STAFF });
  return { users: rows.map(toUser), total };
}

/**
 * Creates a person of one of the provider's domains, without a password. A colleague of this e-mail address whom no provider provisions is handed to it, and keeps the roles
 * given by hand; one whom it deleted before comes back, without the roles of groups.
 */
export function createProvisionedUser(context: StaffContext, access: ScimAccess, fields: UserFields): Promise<SaveUserOutcome> {
  return changeTeam<SaveUserOutcome>(context, PROVISIONING_ACTOR, async (transaction, now) => {
    const { providerId, providerName } = access;
    const person = await findStaffUserByEmail(transaction, fields.email);
    const before = person && (await transaction.scimUser.findUnique({ where: { userId: person.id } }));
    const attribute =
      before && before.deletedAt === null ? 'emails' : await findTaken(transaction, providerId, fields, person?.id ?? null);
    if (attribute !== null) return { outcome: { kind: 'taken', attribute } };
    const domains = await domainsOf(transaction, providerId);
    if (!isOfDomains(fields.email, domains)) return { outcome: { kind: 'foreign_domain', domains } };
    if (person?.breakGlass === true) return { outcome: { kind: 'break_glass' } };
    if (person === null && (await transaction.staffUser.count()) >= PEOPLE_MAX) {
      return { outcome: { kind: 'too_many_people', limit: PEOPLE_MAX } };
    }
    const userId = person?.id ?? context.newId();
    const name = nameOf(fields);
    const times = { createdAt: now, updatedAt: now };
    // Whom it takes over was active until now, unless it deactivated them before.
    const deactivatedAt = before?.deactivatedAt ?? null;
    const changed =
      person === null
        ? { ...NO_CHANGE, deactivatedAt: fields.active ? null : now }
        : await setActive(transaction, person, { from: deactivatedAt === null, to: fields.active, deactivatedAt }, now);
    if (changed.kind === 'last_owner') return { outcome: { kind: 'last_owner', name: person?.name ?? name } };
    if (person === null) {
      const { email } = fields;
      const disabledAt = changed.deactivatedAt;
      await transaction.staffUser.create({ data: { id: userId, name, email, emailVerified: true, disabledAt, ...times } });
    } else {
      await transaction.staffUser.update({ where: { id: userId }, data: { name, updatedAt: now } });
      await transaction.scimUser.deleteMany({ where: { userId } });
    }
    const stored = { ...storedFields(fields), deactivatedAt: changed.deactivatedAt };
    await transaction.scimUser.create({ data: { userId, providerId, ...stored, ...times } });
    await applyGroups(context, transaction, { providerId, people: [{ userId, groups: [] }], actor: PROVISIONING_ACTOR, now });
    const after = { provider: providerName, ...audited(fields), takenOver: person !== null, ...changed.audit };
    return {
      outcome: {
        kind: 'saved',
        user: toUser(await transaction.scimUser.findUniqueOrThrow({ where: { userId }, include: WITH_STAFF })),
      },
      audit: {
        action: 'staff.provisioned',
        objectType: 'staff',
        objectId: userId,
        before: person && { name: person.name },
        after,
      },
    };
  });
}

/**
 * Changes a person to what the provider writes. `change` is given the present fields. Deactivation ends sessions, tokens and what was issued,
 * and is refused for the last owner alone.
 */
export function changeProvisionedUser(
  context: StaffContext,
  access: ScimAccess,
  userId: string,
  change: (before: UserFields) => UserFields,
): Promise<SaveUserOutcome> {
  return changeTeam<SaveUserOutcome>(context, PROVISIONING_ACTOR, async (transaction, now) => {
    const { providerId, providerName } = access;
    const row = await findRow(transaction, providerId, userId);
    const person = row && (await findStaffUser(transaction, userId));
    if (row === null || person === null) return { outcome: { kind: 'not_found' } };
    const before = fieldsOf(row);
    const fields = change(before);
    const attribute = await findTaken(transaction, providerId, fields, userId);
    if (attribute !== null) return { outcome: { kind: 'taken', attribute } };
    if (fields.email !== before.email) {
      const domains = await domainsOf(transaction, providerId);
      if (!isOfDomains(fields.email, domains)) return { outcome: { kind: 'foreign_domain', domains } };
      if (person.breakGlass) return { outcome: { kind: 'break_glass' } };
    }
    const [from, to] = [audited(before), audited(fields)];
    if (JSON.stringify(from) === JSON.stringify(to)) return { outcome: { kind: 'saved', user: toUser(row) } };
    const transition = { from: before.active, to: fields.active, deactivatedAt: row.deactivatedAt };
    const changed = await setActive(transaction, person, transition, now);
    if (changed.kind === 'last_owner') return { outcome: { kind: 'last_owner', name: person.name } };
    const name = nameOf(fields);
    await transaction.staffUser.update({ where: { id: userId }, data: { name, email: fields.email, updatedAt: now } });
    await transaction.scimUser.update({
      where: { userId },
      data: { ...storedFields(fields), deactivatedAt: changed.deactivatedAt, updatedAt: now },
    });
    const provider = { provider: providerName };
    return {
      outcome: {
        kind: 'saved',
        user: toUser(await transaction.scimUser.findUniqueOrThrow({ where: { userId }, include: WITH_STAFF })),
      },
      audit: {
        action: changed.action,
        objectType: 'staff',
        objectId: userId,
        before: { ...provider, ...from },
        after: { ...provider, ...to, ...changed.audit },
      },
    };
  });
}

/**
 * Takes a person out of the provider's directory: disabled, in no group and without the roles of groups. What they did stays in the audit log
 * under their name.
 */
export function deleteProvisionedUser(
  context: StaffContext,
  access: ScimAccess,
  userId: string,
): Promise<{ readonly kind: 'deleted' } | UserRefusal> {
  return changeTeam<{ readonly kind: 'deleted' } | UserRefusal>(context, PROVISIONING_ACTOR, async (transaction, now) => {
    const { providerId, providerName } = access;
    const row = await findRow(transaction, providerId, userId);
    const person = row && (await findStaffUser(transaction, userId));
    if (row === null || person === null) return { outcome: { kind: 'not_found' } };
    const changed = await setActive(transaction, person, { from: row.active, to: false, deactivatedAt: row.deactivatedAt }, now);
    if (changed.kind === 'last_owner') return { outcome: { kind: 'last_owner', name: person.name } };
    await transaction.scimGroupMember.deleteMany({ where: { userId } });
    await applyGroups(context, transaction, { providerId, people: [{ userId, groups: [] }], actor: PROVISIONING_ACTOR, now });
    const nothing = { userName: null, userNameKey: null, externalId: null, givenName: null, familyName: null, displayName: null };
    await transaction.scimUser.update({
      where: { userId },
      data: { ...nothing, active: false, deactivatedAt: changed.deactivatedAt, deletedAt: now, updatedAt: now },
    });
    const before = { provider: providerName, ...audited(fieldsOf(row)) };
    return {
      outcome: { kind: 'deleted' },
      audit: { action: 'staff.deprovisioned', objectType: 'staff', objectId: userId, before, after: changed.audit },
    };
  });
}

interface Transition {
  /** Active at the provider before, and now. */
  readonly from: boolean;
  readonly to: boolean;
  /** When the provider disabled them. */
  readonly deactivatedAt: Date | null;
}

interface Transitioned {
  readonly kind: 'changed';
  readonly action: 'staff.profile_changed' | 'staff.disabled' | 'staff.enabled';
  readonly deactivatedAt: Date | null;
  /** Counts of the access that was ended, and the decisions that no one can take any more. */
  readonly audit: Readonly<Record<string, JsonValue>>;
}

const NO_CHANGE = { kind: 'changed', action: 'staff.profile_changed', audit: {} } as const;

/** Disables or enables a person as the provider does; one whom an owner disabled stays so. */
async function setActive(
  transaction: Prisma.TransactionClient,
  person: StaffUserRow,
  { from, to, deactivatedAt }: Transition,
  now: Date,
): Promise<Transitioned | { readonly kind: 'last_owner' }> {
  const { id, disabledAt } = person;
  if (from === to || (!to && disabledAt !== null)) return { ...NO_CHANGE, deactivatedAt };
  if (!to) {
    const outcome = await disableStaffUser(transaction, person, PROVISIONING_ACTOR, now);
    if (outcome.kind === 'last_owner') return outcome;
    const audit = { ...outcome.ended, neededFor: neededForAudit(outcome.neededFor) };
    return { kind: 'changed', action: 'staff.disabled', deactivatedAt: now, audit };
  }
  if (disabledAt === null || disabledAt.getTime() !== deactivatedAt?.getTime()) return { ...NO_CHANGE, deactivatedAt: null };
  await transaction.staffUser.update({ where: { id }, data: { disabledAt: null } });
  return { ...NO_CHANGE, action: 'staff.enabled', deactivatedAt: null };
}

/** The domains whose people the provider signs in, with commas. */
async function domainsOf(transaction: Prisma.TransactionClient, providerId: string): Promise<string> {
  const { domain } = await transaction.ssoProvider.findUniqueOrThrow({ where: { id: providerId }, select: { domain: true } });
  return domain;
}

/** The attribute whose value another person has; null without one. */
async function findTaken(
  transaction: Prisma.TransactionClient,
  providerId: string,
  { userName, externalId, email }: UserFields,
  userId: string | null,
): Promise<'userName' | 'externalId' | 'emails' | null> {
  const other = userId === null ? {} : { userId: { not: userId } };
  const { scimUser, staffUser } = transaction;
  if ((await scimUser.count({ where: { providerId, userNameKey: userName.toLowerCase(), ...other } })) > 0) return 'userName';
  if (externalId !== null && (await scimUser.count({ where: { providerId, externalId, ...other } })) > 0) return 'externalId';
  const id = userId === null ? {} : { id: { not: userId } };
  // A new person of an address that a colleague has is that colleague.
  return userId !== null && (await staffUser.count({ where: { email, ...id } })) > 0 ? 'emails' : null;
}

function storedFields({ userName, externalId, givenName, familyName, displayName, active }: UserFields) {
  return { userName, userNameKey: userName.toLowerCase(), externalId, givenName, familyName, displayName, active };
}

function nameOf({ userName, givenName, familyName, displayName }: UserFields): string {
  const parts = [givenName, familyName].filter((part) => part !== null).join(' ');
  return (displayName ?? (parts || userName)).slice(0, NAME_MAX);
}

function audited({ userName, externalId, givenName, familyName, displayName, email, active }: UserFields) {
  return { userName, externalId, givenName, familyName, displayName, email, active };
}

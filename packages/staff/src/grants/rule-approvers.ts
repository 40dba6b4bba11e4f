import { isUuid, NIL_ID } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';
import type { StaffContext } from '../context.ts';
import { may, type Permission, STAFF_ROLES } from '../permissions/permissions.ts';

const APPROVERS_MAX = 100;
const MERCHANTS_MAX = 10_000;
const GRANTS_MAX = 10_000;

/** Grants whose role includes a permission in both modes. */
function allowing(permission: Permission) {
  const roles = STAFF_ROLES.filter((role) => may(role, permission));
  return { OR: [{ role: { in: roles } }, { customRole: { permissions: { has: permission } } }] };
}

/** A permission for a merchant. */
interface Right {
  readonly merchantId: string;
  readonly permission: Permission;
}

/** Enabled staff users who have a permission for a merchant. */
function whoMay({ merchantId, permission }: Right) {
  return { disabledAt: null, grants: { some: { merchantId: { in: [NIL_ID, merchantId] }, ...allowing(permission) } } };
}

/** A staff user who may approve. */
export interface RuleApprover {
  readonly staffId: string;
  readonly name: string;
}

/** Enabled staff users who have a permission for the merchant, by name. At most 100. */
export async function listActiveStaffWhoMay(
  { staffUser }: Pick<Prisma.TransactionClient, 'staffUser'>,
  merchantId: string,
  permission: Permission,
): Promise<RuleApprover[]> {
  if (!isUuid(merchantId)) return [];
  const where = whoMay({ merchantId, permission });
  const orderBy: Prisma.StaffUserOrderByWithRelationInput[] = [{ name: 'asc' }, { id: 'asc' }];
  const rows = await staffUser.findMany({ where, orderBy, select: { id: true, name: true }, take: APPROVERS_MAX });
  return rows.map(({ id, name }) => ({ staffId: id, name }));
}

/**
 * True if an enabled staff user other than the actor has a permission for the merchant. A transaction whose change depends on the answer must
 * hold `lockStaffGrants`.
 */
export async function hasSecondPerson(
  { staffUser }: Prisma.TransactionClient,
  { actor, ...right }: Right & { readonly actor: string },
): Promise<boolean> {
  if (!isUuid(right.merchantId)) return false;
  const id = actor.replace(/^staff:/, '');
  return (await staffUser.count({ where: { ...whoMay(right), ...(isUuid(id) && { id: { not: id } }) } })) > 0;
}

/** True if an actor is an enabled staff user who has a permission for the merchant. The same lock holds as for {@link hasSecondPerson}. */
export async function isStaffWhoMay(
  { staffUser }: Prisma.TransactionClient,
  { actor, ...right }: Right & { readonly actor: string },
): Promise<boolean> {
  const id = actor.replace(/^staff:/, '');
  if (id === actor || !isUuid(id) || !isUuid(right.merchantId)) return false;
  return (await staffUser.count({ where: { ...whoMay(right), id } })) > 0;
}

/** Enabled staff users with a permission, by merchant. */
export async function readDeciders(
  { staffGrant }: Prisma.TransactionClient,
  permission: Permission,
): Promise<(merchantId: string) => Set<string>> {
  const where = { ...allowing(permission), staff: { disabledAt: null } };
  const grants = await staffGrant.findMany({ where, select: { staffId: true, merchantId: true }, take: GRANTS_MAX });
  return (merchantId) =>
    new Set(grants.filter((grant) => [NIL_ID, merchantId].includes(grant.merchantId)).map(({ staffId }) => staffId));
}

/** Merchants whose rules need approval, with the staff users who may approve them, where they are few. With null, all merchants. */
async function listFewApprovers(
  { resources }: StaffContext,
  merchantIds: readonly string[] | null,
  fewerThan: number,
): Promise<{ readonly merchantId: string; readonly staffIds: readonly string[] }[]> {
  const { prisma } = resources.database;
  const where = { rulesNeedApproval: true, ...(merchantIds !== null && { id: { in: merchantIds.filter(isUuid) } }) };
  const merchants = await prisma.merchant.findMany({ where, select: { id: true }, orderBy: { id: 'asc' }, take: MERCHANTS_MAX });
  if (merchants.length === 0) return [];
  const approversOf = await readDeciders(prisma, 'routing:publish');
  return merchants
    .map(({ id }) => ({ merchantId: id, staffIds: [...approversOf(id)] }))
    .filter(({ staffIds }) => staffIds.length < fewerThan);
}

/**
 * Those of these merchants whose rules need a second person while fewer than two staff users can approve: nothing can be published there
 * until another staff user gets a role, or the remaining one allows publication by one person.
 */
export async function listMerchantsWithoutSecondApprover(
  context: StaffContext,
  merchantIds: readonly string[],
): Promise<string[]> {
  return (await listFewApprovers(context, merchantIds, 2)).map(({ merchantId }) => merchantId);
}

/** For each staff user the merchants whose rules need a second person and where no more than two can approve, they among them. */
export async function listNeededApprovers(
  context: StaffContext,
  merchantIds: readonly string[] | null,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const scarce = await listFewApprovers(context, merchantIds, 3);
  const pairs = scarce.flatMap(({ merchantId, staffIds }) => staffIds.map((staffId) => ({ merchantId, staffId })));
  const byPerson = Map.groupBy(pairs, ({ staffId }) => staffId);
  return new Map(Array.from(byPerson, ([staffId, some]) => [staffId, some.map(({ merchantId }) => merchantId)]));
}

import { isUuid, NIL_ID } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';
import type { StaffContext } from '../context.ts';
import { may, type Permission, STAFF_ROLES } from '../permissions/permissions.ts';

const APPROVERS_MAX = 100;

/** Enabled staff users who may publish and approve the merchant's rules, by name. At most 100. */
export function listApprovers(client: Prisma.TransactionClient, merchantId: string): Promise<RuleApprover[]> {
  return listActiveStaffWhoMay(client, merchantId, 'routing:publish');
}

/** Enabled staff users who have a permission for the merchant, by name. At most 100. */
export function listActiveStaffWhoMay(
  client: Prisma.TransactionClient,
  merchantId: string,
  permission: Permission,
): Promise<RuleApprover[]> {
  return listRuleApprovers(client, { merchantId, permission, limit: APPROVERS_MAX });
}

/**
 * True if an enabled staff user other than the actor has a permission for the merchant. A transaction whose change depends on the answer must
 * hold `lockStaffGrants`.
 */
export async function hasSecondPerson(
  client: Prisma.TransactionClient,
  { merchantId, permission, actor }: { readonly merchantId: string; readonly permission: Permission; readonly actor: string },
): Promise<boolean> {
  const [first, second] = await listRuleApprovers(client, { merchantId, permission, limit: 2 });
  return second !== undefined || (first !== undefined && `staff:${first.staffId}` !== actor);
}

/** True if an actor is an enabled staff user who has a permission for the merchant. The same lock holds as for {@link hasSecondPerson}. */
export async function isStaffWhoMay(
  client: Prisma.TransactionClient,
  { merchantId, permission, actor }: { readonly merchantId: string; readonly permission: Permission; readonly actor: string },
): Promise<boolean> {
  const id = actor.replace(/^staff:/, '');
  if (id === actor || !isUuid(id) || !isUuid(merchantId)) return false;
  const grants = { some: { merchantId: { in: [NIL_ID, merchantId] }, ...allowing(permission) } };
  return (await client.staffUser.count({ where: { id, disabledAt: null, grants } })) > 0;
}

/**
 * Those of these merchants whose rules need a second person while fewer than two staff users can approve: nothing can be published there
 * until another staff user gets a role, or the remaining one allows publication by one person.
 */
export async function listMerchantsWithoutSecondApprover(
  context: StaffContext,
  merchantIds: readonly string[],
): Promise<string[]> {
  const { prisma } = context.resources.database;
  const found = await listMerchantsWithFewApprovers(prisma, { merchantIds, permission: 'routing:publish', fewerThan: 2 });
  return found.map(({ merchantId }) => merchantId);
}

/**
 * Merchants whose rules need a second person while no more than two staff users can approve, with those staff users. `merchantIds`
 * null is all merchants.
 */
export async function listNeededApprovers(
  context: StaffContext,
  merchantIds: readonly string[] | null,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { prisma } = context.resources.database;
  const scarce = await listMerchantsWithFewApprovers(prisma, { merchantIds, permission: 'routing:publish', fewerThan: 3 });
  const neededBy = new Map<string, string[]>();
  for (const { merchantId, staffIds } of scarce) {
    for (const staffId of staffIds) neededBy.set(staffId, [...(neededBy.get(staffId) ?? []), merchantId]);
  }
  return neededBy;
}

/** A staff user who may approve rules. */
export interface RuleApprover {
  readonly staffId: string;
  readonly name: string;
}

/** The roles that include a permission in both modes, those of all workspaces. */
const rolesWhoMay = (permission: Permission) => STAFF_ROLES.filter((role) => may(role, permission));

/** Grants whose role includes a permission in both modes. */
export function allowing(permission: Permission) {
  return { OR: [{ role: { in: rolesWhoMay(permission) } }, { customRole: { permissions: { has: permission } } }] };
}

/** Enabled staff users with a permission for the merchant, by name. At most `limit`. */
async function listRuleApprovers(
  client: Prisma.TransactionClient,
  query: { readonly merchantId: string; readonly permission: Permission; readonly limit: number },
): Promise<RuleApprover[]> {
  if (!isUuid(query.merchantId)) return [];
  const rows = await client.staffUser.findMany({
    where: {
      disabledAt: null,
      grants: { some: { merchantId: { in: [NIL_ID, query.merchantId] }, ...allowing(query.permission) } },
    },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    select: { id: true, name: true },
    take: query.limit,
  });
  return rows.map(({ id, name }) => ({ staffId: id, name }));
}

/** A merchant whose rules need approval, with the few staff users who may approve them. */
export interface MerchantWithFewApprovers {
  readonly merchantId: string;
  readonly staffIds: readonly string[];
}

const MERCHANTS_MAX = 200;

/**
 * Merchants whose rules need approval while fewer than `fewerThan` enabled staff users have a permission for them.
 * `merchantIds` null is all merchants. At most 200.
 */
async function listMerchantsWithFewApprovers(
  client: Prisma.TransactionClient,
  query: { readonly merchantIds: readonly string[] | null; readonly permission: Permission; readonly fewerThan: number },
): Promise<MerchantWithFewApprovers[]> {
  const merchantIds = query.merchantIds?.filter(isUuid) ?? null;
  return client.$queryRaw<MerchantWithFewApprovers[]>`
    SELECT merchant.id AS "merchantId",
      coalesce(array_agg(DISTINCT approver.staff_id) FILTER (WHERE approver.staff_id IS NOT NULL), '{}') AS "staffIds"
    FROM merchant
    LEFT JOIN (
      SELECT staff_grant.merchant_id, staff_grant.staff_id
      FROM staff_grant JOIN staff_user ON staff_user.id = staff_grant.staff_id
      LEFT JOIN custom_role ON custom_role.id = staff_grant.custom_role_id
      WHERE staff_user.disabled_at IS NULL AND (
        staff_grant.role::text = ANY(${rolesWhoMay(query.permission)}::text[]) OR ${query.permission} = ANY(custom_role.permissions))
    ) AS approver ON approver.merchant_id IN (merchant.id, ${NIL_ID}::uuid)
    WHERE merchant.rules_need_approval
      AND (${merchantIds}::uuid[] IS NULL OR merchant.id = ANY(${merchantIds}::uuid[]))
    GROUP BY merchant.id
    HAVING count(DISTINCT approver.staff_id) < ${query.fewerThan}
    ORDER BY merchant.id
    LIMIT ${MERCHANTS_MAX}`;
}

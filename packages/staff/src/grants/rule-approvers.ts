import type { Prisma } from '@switchyard/db/client';
import type { StaffContext } from '../context.ts';
import { may, type Permission, STAFF_ROLES } from '../permissions/permissions.ts';
import { listMerchantsWithFewApprovers, listRuleApprovers, type RuleApprover } from './rule-approver-queries.ts';

const APPROVERS_MAX = 100;
const APPROVER_ROLES = STAFF_ROLES.filter((role) => may(role, 'routing:publish'));

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
  const roles = STAFF_ROLES.filter((role) => may(role, permission));
  return listRuleApprovers(client, { merchantId, roles, limit: APPROVERS_MAX });
}

/**
 * True if an enabled staff user other than the actor has a permission for the merchant. A transaction whose change depends on the answer must
 * hold `lockStaffGrants`.
 */
export async function hasSecondPerson(
  client: Prisma.TransactionClient,
  { merchantId, permission, actor }: { readonly merchantId: string; readonly permission: Permission; readonly actor: string },
): Promise<boolean> {
  const roles = STAFF_ROLES.filter((role) => may(role, permission));
  const [first, second] = await listRuleApprovers(client, { merchantId, roles, limit: 2 });
  return second !== undefined || (first !== undefined && `staff:${first.staffId}` !== actor);
}

/**
 * Of these merchants, those whose rules need a second person while fewer than two staff users can approve: nothing can be published
 * there until another staff user gets a role, or the remaining one allows publication by one person.
 */
export async function listMerchantsWithoutSecondApprover(
  context: StaffContext,
  merchantIds: readonly string[],
): Promise<string[]> {
  const { prisma } = context.resources.database;
  const found = await listMerchantsWithFewApprovers(prisma, { merchantIds, roles: APPROVER_ROLES, fewerThan: 2 });
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
  const scarce = await listMerchantsWithFewApprovers(prisma, { merchantIds, roles: APPROVER_ROLES, fewerThan: 3 });
  const neededBy = new Map<string, string[]>();
  for (const { merchantId, staffIds } of scarce) {
    for (const staffId of staffIds) neededBy.set(staffId, [...(neededBy.get(staffId) ?? []), merchantId]);
  }
  return neededBy;
}

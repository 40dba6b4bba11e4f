import type { Prisma } from '@switchyard/db/client';
import type { MerchantsContext } from '@switchyard/merchants';
import { may, STAFF_ROLES } from './permissions.ts';
import { listRuleApprovers, listScarceApprovers, type RuleApprover } from './rule-approver-queries.ts';

const APPROVERS_MAX = 100;
const APPROVER_ROLES = STAFF_ROLES.filter((role) => may(role, 'routing:publish'));

/** People who can sign in and may publish and approve the merchant's rules, by name. At most 100. */
export function listApprovers(client: Prisma.TransactionClient, merchantId: string): Promise<RuleApprover[]> {
  return listRuleApprovers(client, { merchantId, roles: APPROVER_ROLES, limit: APPROVERS_MAX });
}

/**
 * Whether another person than the actor can approve the merchant's rules. In a transaction that changes something on the strength
 * of the answer, `lockStaffGrants` has to be held.
 */
export async function hasSecondApprover(client: Prisma.TransactionClient, merchantId: string, actor: string): Promise<boolean> {
  const [first, second] = await listRuleApprovers(client, { merchantId, roles: APPROVER_ROLES, limit: 2 });
  return second !== undefined || (first !== undefined && `staff:${first.staffId}` !== actor);
}

/**
 * Of these merchants, those whose rules need a second person while fewer than two people can approve: nothing can be published there
 * until another person gets a role, or the one who is left lets one person publish.
 */
export async function listMerchantsWithoutSecondApprover(
  context: MerchantsContext,
  merchantIds: readonly string[],
): Promise<string[]> {
  const { prisma } = context.resources.database;
  const found = await listScarceApprovers(prisma, { merchantIds, roles: APPROVER_ROLES, fewerThan: 2 });
  return found.map(({ merchantId }) => merchantId);
}

/**
 * Whom the approval of rules depends on: merchants whose rules need a second person while no more than two can approve, with those
 * two. `merchantIds` null is all merchants.
 */
export async function listNeededApprovers(
  context: MerchantsContext,
  merchantIds: readonly string[] | null,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { prisma } = context.resources.database;
  const scarce = await listScarceApprovers(prisma, { merchantIds, roles: APPROVER_ROLES, fewerThan: 3 });
  const neededBy = new Map<string, string[]>();
  for (const { merchantId, staffIds } of scarce) {
    for (const staffId of staffIds) neededBy.set(staffId, [...(neededBy.get(staffId) ?? []), merchantId]);
  }
  return neededBy;
}

import { isUuid, NIL_ID } from '@switchyard/db';
import type { Prisma, StaffRole } from '@switchyard/db/client';

/** A staff user who may approve rules. */
export interface RuleApprover {
  readonly staffId: string;
  readonly name: string;
}

/** Enabled staff users with one of these roles for the merchant or for all merchants, by name. At most `limit`. */
export async function listRuleApprovers(
  client: Prisma.TransactionClient,
  query: { readonly merchantId: string; readonly roles: readonly StaffRole[]; readonly limit: number },
): Promise<RuleApprover[]> {
  if (!isUuid(query.merchantId)) return [];
  const rows = await client.staffUser.findMany({
    where: {
      disabledAt: null,
      grants: { some: { merchantId: { in: [NIL_ID, query.merchantId] }, role: { in: [...query.roles] } } },
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
 * Merchants whose rules need approval while fewer than `fewerThan` enabled staff users have one of these roles for them.
 * `merchantIds` null is all merchants. At most 200.
 */
export async function listMerchantsWithFewApprovers(
  client: Prisma.TransactionClient,
  query: { readonly merchantIds: readonly string[] | null; readonly roles: readonly StaffRole[]; readonly fewerThan: number },
): Promise<MerchantWithFewApprovers[]> {
  const merchantIds = query.merchantIds?.filter(isUuid) ?? null;
  return client.$queryRaw<MerchantWithFewApprovers[]>`
    SELECT merchant.id AS "merchantId",
      coalesce(array_agg(DISTINCT approver.staff_id) FILTER (WHERE approver.staff_id IS NOT NULL), '{}') AS "staffIds"
    FROM merchant
    LEFT JOIN (
      SELECT staff_grant.merchant_id, staff_grant.staff_id
      FROM staff_grant JOIN staff_user ON staff_user.id = staff_grant.staff_id
      WHERE staff_user.disabled_at IS NULL AND staff_grant.role::text = ANY(${[...query.roles]}::text[])
    ) AS approver ON approver.merchant_id IN (merchant.id, ${NIL_ID}::uuid)
    WHERE merchant.rules_need_approval
      AND (${merchantIds}::uuid[] IS NULL OR merchant.id = ANY(${merchantIds}::uuid[]))
    GROUP BY merchant.id
    HAVING count(DISTINCT approver.staff_id) < ${query.fewerThan}
    ORDER BY merchant.id
    LIMIT ${MERCHANTS_MAX}`;
}

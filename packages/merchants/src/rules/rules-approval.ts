import {
  findMerchantRow,
  listRuleApprovers,
  listScarceApprovers,
  type Merchant,
  type Prisma,
  type RuleApprover,
} from '@switchyard/db';
import type { MerchantsContext } from '../context.ts';
import { may, STAFF_ROLES } from '../permissions.ts';

/** How a merchant's rules are approved. */
export interface RulesApproval {
  /** Whether a second person has to approve rules before they are published, in both modes. */
  readonly required: boolean;
  /** Who can publish and approve rules now, by name: people who can sign in, at most 100. */
  readonly approvers: readonly RuleApprover[];
  /** An open request to let one person publish; the answer of another approver decides it until then. */
  readonly waiver: { readonly requestedBy: string; readonly requestedAt: Date; readonly until: Date } | null;
}

const WAIVER_MS = 24 * 60 * 60 * 1_000;
const APPROVERS_MAX = 100;
const APPROVER_ROLES = STAFF_ROLES.filter((role) => may(role, 'routing:publish'));

/** How a merchant's rules are approved, and by whom; null for no merchant. */
export async function readRulesApproval(context: MerchantsContext, merchantId: string): Promise<RulesApproval | null> {
  const { prisma } = context.resources.database;
  const merchant = await findMerchantRow(prisma, merchantId);
  if (merchant === null) return null;
  const approvers = await listRuleApprovers(prisma, { merchantId, roles: APPROVER_ROLES, limit: APPROVERS_MAX });
  return { required: merchant.rulesNeedApproval, approvers, waiver: openWaiver(merchant, context.now()) };
}

/** The request to let one person publish, unless there is none or it is too old. */
export function openWaiver(
  {
    rulesNeedApproval,
    approvalWaiverBy,
    approvalWaiverAt,
  }: Pick<Merchant, 'rulesNeedApproval' | 'approvalWaiverBy' | 'approvalWaiverAt'>,
  now: Date,
): RulesApproval['waiver'] {
  if (!rulesNeedApproval || approvalWaiverBy === null || approvalWaiverAt === null) return null;
  const until = waiverEnd(approvalWaiverAt);
  return now < until ? { requestedBy: approvalWaiverBy, requestedAt: approvalWaiverAt, until } : null;
}

/** Until when a request to let one person publish can be agreed to. */
export function waiverEnd(requestedAt: Date): Date {
  return new Date(requestedAt.getTime() + WAIVER_MS);
}

/**
 * Whether another person than the actor can approve the merchant's rules. In a transaction that changes something on the strength
 * of the answer, `lockStaffGrants` has to be held.
 */
export async function hasSecondPerson(client: Prisma.TransactionClient, merchantId: string, actor: string): Promise<boolean> {
  const [first, second] = await listRuleApprovers(client, { merchantId, roles: APPROVER_ROLES, limit: 2 });
  return second !== undefined || (first !== undefined && `staff:${first.staffId}` !== actor);
}

/**
 * Of these merchants, those whose rules need a second person while fewer than two people can approve: nothing can be published there
 * until another person gets a role, or the one who is left lets one person publish.
 */
export async function listMerchantsWithoutSecondPerson(
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

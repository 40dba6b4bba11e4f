import type { Merchant } from '@switchyard/db/client';
import { findMerchantRow } from '@switchyard/merchants';
import type { RuleApprover } from '@switchyard/staff/grants';
import { listApprovers } from '@switchyard/staff/grants';
import type { RuleSetsContext } from '../context.ts';

/** How a merchant's rules are approved. */
export interface RulesApproval {
  /** True if a second person has to approve rules before they are published, in both modes. */
  readonly required: boolean;
  /** Users who can publish and approve rules now, by name: active ones, at most 100. */
  readonly approvers: readonly RuleApprover[];
  /** An open request to let one person publish; another approver can agree until `until`. */
  readonly waiver: { readonly requestedBy: string; readonly requestedAt: Date; readonly until: Date } | null;
}

const WAIVER_MS = 24 * 60 * 60 * 1_000;

/** How a merchant's rules are approved, and by whom; null for no merchant. */
export async function readRulesApproval(context: RuleSetsContext, merchantId: string): Promise<RulesApproval | null> {
  const { prisma } = context.resources.database;
  const merchant = await findMerchantRow(prisma, merchantId);
  if (merchant === null) return null;
  const approvers = await listApprovers(prisma, merchantId);
  return { required: merchant.rulesNeedApproval, approvers, waiver: openWaiver(merchant, context.now()) };
}

/** The open request to let one person publish; null when there is none or it has expired. */
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

/** When a request to let one person publish expires. */
export function waiverEnd(requestedAt: Date): Date {
  return new Date(requestedAt.getTime() + WAIVER_MS);
}

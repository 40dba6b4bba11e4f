import type { Merchant } from '@switchyard/db/client';
import { findMerchantRow } from '@switchyard/merchants';
import type { RuleApprover } from '@switchyard/staff/grants';
import { listApprovers } from '@switchyard/staff/grants';
import { type OpenWaiver, openWaiver, type SecondPersonRule } from '@switchyard/staff/second-person';
import type { RuleSetsContext } from '../context.ts';

/** How a merchant's rules are approved. */
export interface RulesApproval {
  /** True if a second person has to approve rules before they are published, in both modes. */
  readonly required: boolean;
  /** Users who can publish and approve rules now, by name: active ones, at most 100. */
  readonly approvers: readonly RuleApprover[];
  /** An open request to let one person publish; another approver can agree until `until`. */
  readonly waiver: OpenWaiver | null;
}

/** How a merchant's rules are approved, and by whom; null for no merchant. */
export async function readRulesApproval(context: RuleSetsContext, merchantId: string): Promise<RulesApproval | null> {
  const { prisma } = context.resources.database;
  const merchant = await findMerchantRow(prisma, merchantId);
  if (merchant === null) return null;
  const approvers = await listApprovers(prisma, merchantId);
  return { required: merchant.rulesNeedApproval, approvers, waiver: openRulesWaiver(merchant, context.now()) };
}

/** The open request to let one person publish; null when there is none or it has expired. */
export function openRulesWaiver(merchant: ApprovalSetting, now: Date): OpenWaiver | null {
  return merchant.rulesNeedApproval ? openWaiver(rulesRuleOf(merchant), now) : null;
}

type ApprovalSetting = Pick<Merchant, 'rulesNeedApproval' | 'approvalWaiverBy' | 'approvalWaiverAt'>;

/** The setting as a rule that needs a second person. */
export function rulesRuleOf({ rulesNeedApproval, approvalWaiverBy, approvalWaiverAt }: ApprovalSetting): SecondPersonRule {
  return { required: rulesNeedApproval, waiverBy: approvalWaiverBy, waiverAt: approvalWaiverAt };
}

import type { Merchant } from '@switchyard/db/client';
import { findMerchantRow, updateMerchantRow } from '@switchyard/merchants';
import { changeConfiguration } from '@switchyard/runtime';
import { changeSecondPersonRule, type SecondPersonOutcome } from '@switchyard/staff/second-person';
import type { RuleSetsContext } from '../context.ts';
import { rulesRuleOf } from '../drafts/rules-approval.ts';

/** Switches a merchant's approval requirement on or off. */
export interface RequireApprovalCommand {
  readonly merchantId: string;
  /** True if a second person must approve rules before publication, in both modes. */
  readonly required: boolean;
  readonly actor: string;
}

/** Result of setting the requirement, or the reason why it did not change. */
export type RequireApprovalOutcome = SecondPersonOutcome | { readonly kind: 'not_found' };

/** Sets whether a merchant's rules need a second person's approval, as every rule that needs one: two people switch it off. */
export async function requireApproval(
  context: RuleSetsContext,
  command: RequireApprovalCommand,
): Promise<RequireApprovalOutcome> {
  const { merchantId } = command;
  return changeConfiguration<RequireApprovalOutcome>(context, command, async (transaction, now) => {
    const merchant = await findMerchantRow(transaction, merchantId);
    if (merchant === null) return { outcome: { kind: 'not_found' }, audit: null };
    const rule = rulesRuleOf(merchant);
    const { outcome, change } = await changeSecondPersonRule(
      transaction,
      { ...command, permission: 'routing:publish' },
      rule,
      now,
    );
    if (change === null) return { outcome, audit: null };
    const { required, waiverBy, waiverAt } = change.rule;
    const changes = { rulesNeedApproval: required, approvalWaiverBy: waiverBy, approvalWaiverAt: waiverAt };
    const after = await updateMerchantRow(transaction, merchantId, changes, now);
    return {
      outcome,
      audit: {
        action: change.isSwitched ? 'merchant.rules_approval_changed' : 'merchant.rules_approval_waiver_requested',
        objectType: 'merchant',
        objectId: merchantId,
        before: forAudit(merchant),
        after: { ...forAudit(after), ...(change.withoutSecondPerson && { withoutSecondPerson: true }) },
      },
    };
  });
}

function forAudit({ rulesNeedApproval, approvalWaiverBy }: Merchant) {
  return { rulesNeedApproval, waiverRequestedBy: approvalWaiverBy };
}

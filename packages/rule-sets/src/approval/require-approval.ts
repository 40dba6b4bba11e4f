import type { Merchant } from '@switchyard/db/client';
import { findMerchantRow, updateMerchantRow } from '@switchyard/merchants';
import { changeConfiguration } from '@switchyard/runtime';
import { hasSecondApprover, lockStaffGrants } from '@switchyard/staff/grants';
import type { RuleSetsContext } from '../context.ts';
import { openWaiver, waiverEnd } from '../drafts/rules-approval.ts';
import { isPerson } from './decide-approval.ts';

/** Switches a merchant's approval requirement on or off. */
export interface RequireApprovalCommand {
  readonly merchantId: string;
  /** True if a second person must approve rules before publication, in both modes. */
  readonly required: boolean;
  readonly actor: string;
}

/** Result of setting the requirement, or the reason why it did not change. */
export type RequireApprovalOutcome =
  | { readonly kind: 'changed'; readonly required: boolean }
  | { readonly kind: 'unchanged'; readonly required: boolean }
  /** Not switched off yet: another approver must request the same before `until`. A repeated request extends it. */
  | { readonly kind: 'needs_second_person'; readonly requestedBy: string; readonly until: Date }
  /** Not switched on: only the actor could approve, so nothing could be published any more. */
  | { readonly kind: 'no_second_person' }
  /** The actor is no staff user. */
  | { readonly kind: 'not_a_person' }
  | { readonly kind: 'not_found' };

/**
 * Sets whether a merchant's rules need a second person's approval. One user can switch it on where another can approve. Switching it
 * off takes two users within a day, so that one cannot lift the control. Only where no one else can approve any more, because users
 * left or lost their roles, the remaining user switches it off alone: otherwise nothing could ever be published.
 */
export async function requireApproval(
  context: RuleSetsContext,
  command: RequireApprovalCommand,
): Promise<RequireApprovalOutcome> {
  const { merchantId, required, actor } = command;
  if (!isPerson(actor)) return { kind: 'not_a_person' };
  return changeConfiguration<RequireApprovalOutcome>(context, command, async (transaction, now) => {
    const merchant = await findMerchantRow(transaction, merchantId);
    if (merchant === null) return { outcome: { kind: 'not_found' }, audit: null };
    const asked = merchant.approvalWaiverBy !== null;
    if (merchant.rulesNeedApproval === required && !(required && asked)) {
      return { outcome: { kind: 'unchanged', required }, audit: null };
    }
    // Roles stay as they are until this is committed.
    await lockStaffGrants(transaction);
    const isAlone = !(await hasSecondApprover(transaction, merchantId, actor));
    if (required && isAlone && !merchant.rulesNeedApproval) return { outcome: { kind: 'no_second_person' }, audit: null };
    const agreed = required || isAlone || isAgreed(merchant, actor, now);
    const changes = agreed
      ? { rulesNeedApproval: required, approvalWaiverBy: null, approvalWaiverAt: null }
      : { approvalWaiverBy: actor, approvalWaiverAt: now };
    const after = await updateMerchantRow(transaction, merchantId, changes, now);
    const audited = { ...forAudit(after), ...(isAlone && { withoutSecondPerson: true }) };
    return {
      outcome: agreed
        ? { kind: 'changed', required }
        : { kind: 'needs_second_person', requestedBy: actor, until: waiverEnd(now) },
      audit: {
        action: agreed ? 'merchant.rules_approval_changed' : 'merchant.rules_approval_waiver_requested',
        objectType: 'merchant',
        objectId: merchantId,
        before: forAudit(merchant),
        after: audited,
      },
    };
  });
}

/** True if another user has an open request for the same. */
function isAgreed(merchant: Merchant, actor: string, now: Date): boolean {
  const waiver = openWaiver(merchant, now);
  return waiver !== null && waiver.requestedBy !== actor;
}

function forAudit({ rulesNeedApproval, approvalWaiverBy }: Merchant) {
  return { rulesNeedApproval, waiverRequestedBy: approvalWaiverBy };
}

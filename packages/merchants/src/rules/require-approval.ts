import { findMerchantRow, type Merchant, updateMerchantRow } from '@switchyard/db';
import { changeConfiguration } from '../change-configuration.ts';
import type { MerchantsContext } from '../context.ts';
import { isPerson } from './decide-approval.ts';

export interface RequireApprovalCommand {
  readonly merchantId: string;
  /** Whether a second person has to approve rules before they are put in force, in both modes. */
  readonly required: boolean;
  readonly actor: string;
}

export type RequireApprovalOutcome =
  | { readonly kind: 'changed'; readonly required: boolean }
  | { readonly kind: 'unchanged'; readonly required: boolean }
  /** To do without takes two: somebody else has to ask for the same before `until`. Asking again moves that on. */
  | { readonly kind: 'needs_second_person'; readonly requestedBy: string; readonly until: Date }
  /** Machines do not decide this. */
  | { readonly kind: 'not_a_person' }
  | { readonly kind: 'not_found' };

const WAIVER_MS = 24 * 60 * 60 * 1_000;

/**
 * Sets whether a merchant's rules need a second person. One person can ask for more care, at once; to do without it, two have to,
 * within a day, or one person could always take the second out of the way.
 */
export async function requireApproval(
  context: MerchantsContext,
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
    const agreed = required || isAgreed(merchant, actor, now);
    const changes = agreed
      ? { rulesNeedApproval: required, approvalWaiverBy: null, approvalWaiverAt: null }
      : { approvalWaiverBy: actor, approvalWaiverAt: now };
    const after = await updateMerchantRow(transaction, merchantId, changes, now);
    const until = new Date(now.getTime() + WAIVER_MS);
    return {
      outcome: agreed ? { kind: 'changed', required } : { kind: 'needs_second_person', requestedBy: actor, until },
      audit: {
        action: agreed ? 'merchant.rules_approval_changed' : 'merchant.rules_approval_waiver_requested',
        objectType: 'merchant',
        objectId: merchantId,
        before: forAudit(merchant),
        after: forAudit(after),
      },
    };
  });
}

/** Whether another person asked for the same not long ago. */
function isAgreed({ approvalWaiverBy, approvalWaiverAt }: Merchant, actor: string, now: Date): boolean {
  if (approvalWaiverBy === null || approvalWaiverAt === null) return false;
  return approvalWaiverBy !== actor && now.getTime() < approvalWaiverAt.getTime() + WAIVER_MS;
}

function forAudit({ rulesNeedApproval, approvalWaiverBy }: Merchant) {
  return { rulesNeedApproval, waiverRequestedBy: approvalWaiverBy };
}

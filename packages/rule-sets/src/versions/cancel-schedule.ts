import { changeConfiguration } from '@switchyard/runtime';
import type { RuleSetsContext } from '../context.ts';
import { type DraftKey, type RuleDraft, toDraft } from '../drafts/draft.ts';
import { findRuleSetById, updateRuleDraft } from '../drafts/queries.ts';

/** Asks to cancel a scheduled publication. */
export interface CancelScheduleCommand extends DraftKey {
  readonly actor: string;
}

/** Result of cancelling a schedule, or the reason why it was refused. */
export type CancelScheduleOutcome =
  /** It is a draft again; its approval is unchanged. */
  | { readonly kind: 'cancelled'; readonly draft: RuleDraft }
  /** It is not scheduled: it was published, cancelled or refused meanwhile, or never scheduled. `state` is its present state. */
  | { readonly kind: 'not_scheduled'; readonly state: RuleDraft['state'] }
  | { readonly kind: 'not_found' };

/** Cancels the scheduled publication of a draft. */
export async function cancelSchedule(context: RuleSetsContext, command: CancelScheduleCommand): Promise<CancelScheduleOutcome> {
  return changeConfiguration<CancelScheduleOutcome>(context, command, async (transaction, now) => {
    const row = await findRuleSetById(transaction, command.merchantId, command.draftId);
    if (row === null) return { outcome: { kind: 'not_found' }, audit: null };
    if (row.state !== 'SCHEDULED') return { outcome: { kind: 'not_scheduled', state: row.state }, audit: null };
    const changes = { state: 'DRAFT', publishAt: null, scheduledBy: null, reason: null } as const;
    const draft = toDraft(await updateRuleDraft(transaction, row, changes, now));
    const before = { mode: row.mode, publishAt: row.publishAt?.toISOString() ?? null, scheduledBy: row.scheduledBy };
    return {
      outcome: { kind: 'cancelled', draft },
      audit: { action: 'rule_set.schedule_cancelled', objectType: 'rule_set_version', objectId: row.id, before, after: null },
      inForce: false,
    };
  });
}

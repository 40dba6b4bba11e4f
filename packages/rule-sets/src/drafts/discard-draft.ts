import { changeConfiguration } from '@switchyard/runtime';
import type { RuleSetsContext } from '../context.ts';
import { endShadowRun } from '../shadow/queries.ts';
import { type DraftKey, type DraftRefusal, findOpenDraft } from './draft.ts';
import { updateRuleDraft } from './queries.ts';

/** Asks to discard a draft. */
export interface DiscardDraftCommand extends DraftKey {
  /** The revision that is discarded. */
  readonly revision: number;
  readonly actor: string;
}

/** Result of discarding a draft, or the reason why it was refused. */
export type DiscardDraftOutcome = { readonly kind: 'discarded' } | DraftRefusal;

/** Discards a draft, unless it was saved since `revision`. Stops its shadow run. */
export async function discardDraft(context: RuleSetsContext, command: DiscardDraftCommand): Promise<DiscardDraftOutcome> {
  return changeConfiguration<DiscardDraftOutcome>(context, command, async (transaction, now) => {
    const found = await findOpenDraft(transaction, command);
    if (found.kind !== 'found') return { outcome: found, audit: null };
    const { id, mode, name, revision } = found.row;
    await updateRuleDraft(transaction, found.row, { state: 'DISCARDED' }, now);
    const end = { ended: 'DISCARDED', endedBy: command.actor, endedAt: now } as const;
    const shadowStopped = await endShadowRun(transaction, command, end);
    const before = { mode, name, revision, ...(shadowStopped && { shadowStopped }) };
    return {
      outcome: { kind: 'discarded' },
      audit: { action: 'rule_set.draft_discarded', objectType: 'rule_set_version', objectId: id, before, after: null },
      inForce: false,
    };
  });
}

import { changeConfiguration } from '@switchyard/runtime';
import type { RuleSetsContext } from '../context.ts';
import { type DraftKey, type DraftRefusal, findOpenDraft, NO_APPROVAL, type RuleDraft, toDraft } from '../drafts/draft.ts';
import { updateRuleDraft } from '../drafts/queries.ts';
import type { PublicationRefusal } from '../versions/publication.ts';
import { checkDraft } from '../versions/publish-draft.ts';

/** Asks a second person to approve one revision of a draft. */
export interface RequestApprovalCommand extends DraftKey {
  readonly revision: number;
  readonly actor: string;
}

/** The draft awaiting approval, or why none was requested. */
export type RequestApprovalOutcome =
  | { readonly kind: 'requested'; readonly draft: RuleDraft }
  /** It could not be published as it is, so no approval is requested. */
  | Exclude<PublicationRefusal, { kind: 'needs_approval' }>
  | DraftRefusal;

/** Requests a second person's approval of a draft's present revision. Replaces an open or answered request. */
export async function requestApproval(
  context: RuleSetsContext,
  command: RequestApprovalCommand,
): Promise<RequestApprovalOutcome> {
  return changeConfiguration<RequestApprovalOutcome>(context, command, async (transaction, now) => {
    const found = await findOpenDraft(transaction, command);
    if (found.kind !== 'found') return { outcome: found, audit: null };
    const { row } = found;
    const ready = await checkDraft(transaction, row);
    if (ready.kind !== 'ready' && ready.kind !== 'needs_approval') return { outcome: ready, audit: null };
    const changes = { ...NO_APPROVAL, approvalRequestedBy: command.actor, approvalRequestedAt: now };
    const draft = toDraft(await updateRuleDraft(transaction, row, changes, now));
    const after = { mode: row.mode, revision: row.revision, baseVersion: row.baseVersion };
    return {
      outcome: { kind: 'requested', draft },
      audit: {
        action: 'rule_set.approval_requested',
        objectType: 'rule_set_version',
        objectId: row.id,
        before: null,
        after,
      },
      inForce: false,
    };
  });
}

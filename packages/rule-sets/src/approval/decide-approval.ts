import type { RuleSetVersion } from '@switchyard/db/client';
import { changeConfiguration, type FieldProblem } from '@switchyard/runtime';
import { isPerson } from '@switchyard/staff/second-person';
import type { RuleSetsContext } from '../context.ts';
import {
  approvalOf,
  type DraftKey,
  type DraftRefusal,
  findOpenDraft,
  isOwnWork,
  type RuleDraft,
  toDraft,
} from '../drafts/draft.ts';
import { type RuleDraftChanges, updateRuleDraft } from '../drafts/queries.ts';
import { reasonProblems } from '../drafts/rule-fields.ts';

/** A second person's approval of a draft. */
export interface ApproveRulesCommand extends DraftKey {
  /** The revision that was read. */
  readonly revision: number;
  /** `staff:<id>`; other actors cannot approve. */
  readonly actor: string;
}

/** A second person's rejection of a draft. */
export interface RejectRulesCommand extends ApproveRulesCommand {
  /** Reason for the authors; null without one. */
  readonly reason: string | null;
}

/** Why the answer was not recorded. */
export type ApprovalRefusal =
  /** The actor wrote in the draft or requested its approval, so they are not a second person. */
  | { readonly kind: 'own_work' }
  /** There is no open request: none was made, it was answered, or the draft was saved since. */
  | { readonly kind: 'not_requested' }
  /** The actor is no staff user. */
  | { readonly kind: 'not_a_person' }
  | DraftRefusal;

/** The approved draft, or why it was not approved. */
export type ApproveRulesOutcome = { readonly kind: 'approved'; readonly draft: RuleDraft } | ApprovalRefusal;

/** The rejected draft, or why it was not rejected. */
export type RejectRulesOutcome =
  | { readonly kind: 'rejected'; readonly draft: RuleDraft }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | ApprovalRefusal;

/** Approves a draft's present revision; the next save removes the approval. */
export async function approveRules(context: RuleSetsContext, command: ApproveRulesCommand): Promise<ApproveRulesOutcome> {
  return decide(context, command, 'approved', (now) => ({ approvedBy: command.actor, approvedAt: now }));
}

/** Rejects a draft, with or without a reason. It can be saved and submitted again. */
export async function rejectRules(context: RuleSetsContext, command: RejectRulesCommand): Promise<RejectRulesOutcome> {
  const problems =
    command.reason?.trim() === '' ? [{ field: 'reason', message: 'must not be empty' }] : reasonProblems(command.reason);
  if (problems.length > 0) return { kind: 'invalid', problems };
  const answer = (now: Date) => ({ rejectedBy: command.actor, rejectedAt: now, rejectionReason: command.reason });
  return decide(context, command, 'rejected', answer);
}

async function decide<Kind extends 'approved' | 'rejected'>(
  context: RuleSetsContext,
  command: ApproveRulesCommand,
  kind: Kind,
  answer: (now: Date) => RuleDraftChanges,
): Promise<{ readonly kind: Kind; readonly draft: RuleDraft } | ApprovalRefusal> {
  return changeConfiguration<{ readonly kind: Kind; readonly draft: RuleDraft } | ApprovalRefusal>(
    context,
    command,
    async (transaction, now) => {
      const found = await findOpenDraft(transaction, command);
      if (found.kind !== 'found') return { outcome: found, audit: null };
      const { row } = found;
      const refusal = whyNot(row, command.actor);
      if (refusal !== null) return { outcome: refusal, audit: null };
      const changes = answer(now);
      const draft = toDraft(await updateRuleDraft(transaction, row, changes, now));
      const after = { mode: row.mode, revision: row.revision, editors: row.editors, reason: changes.rejectionReason ?? null };
      return {
        outcome: { kind, draft },
        audit: {
          action: `rule_set.${kind}`,
          objectType: 'rule_set_version',
          objectId: row.id,
          before: { requestedBy: row.approvalRequestedBy },
          after,
        },
        inForce: false,
      };
    },
  );
}

function whyNot(row: RuleSetVersion, actor: string): ApprovalRefusal | null {
  if (!isPerson(actor)) return { kind: 'not_a_person' };
  const approval = approvalOf(row);
  if (approval.state !== 'requested') return { kind: 'not_requested' };
  return isOwnWork({ ...row, approval }, actor) ? { kind: 'own_work' } : null;
}

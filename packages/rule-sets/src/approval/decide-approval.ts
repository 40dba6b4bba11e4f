import type { RuleSetVersion } from '@switchyard/db/client';
import type { FieldProblem, MerchantsContext } from '@switchyard/merchants';
import { changeConfiguration } from '@switchyard/merchants';
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

export interface ApproveRulesCommand extends DraftKey {
  /** The revision that was read. */
  readonly revision: number;
  /** `staff:<id>`; nobody else can approve. */
  readonly actor: string;
}

export interface RejectRulesCommand extends ApproveRulesCommand {
  /** Why, for those who wrote it; null when nothing is to be said. */
  readonly reason: string | null;
}

/** Why an approval was neither given nor refused. */
export type ApprovalRefusal =
  /** Whoever wrote in the draft or asked for its approval is not the second person. */
  | { readonly kind: 'own_work' }
  /** Nobody asked, somebody answered already, or the draft was saved since. */
  | { readonly kind: 'not_requested' }
  /** Machines do not approve. */
  | { readonly kind: 'not_a_person' }
  | DraftRefusal;

export type ApproveRulesOutcome = { readonly kind: 'approved'; readonly draft: RuleDraft } | ApprovalRefusal;
export type RejectRulesOutcome =
  | { readonly kind: 'rejected'; readonly draft: RuleDraft }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | ApprovalRefusal;

/** Says yes to a draft exactly as it is: the next save takes the approval away. */
export async function approveRules(context: MerchantsContext, command: ApproveRulesCommand): Promise<ApproveRulesOutcome> {
  return decide(context, command, 'approved', (now) => ({ approvedBy: command.actor, approvedAt: now }));
}

/** Says no to a draft, with a reason or without. It can be saved and shown again. */
export async function rejectRules(context: MerchantsContext, command: RejectRulesCommand): Promise<RejectRulesOutcome> {
  const problems =
    command.reason?.trim() === '' ? [{ field: 'reason', message: 'must not be empty' }] : reasonProblems(command.reason);
  if (problems.length > 0) return { kind: 'invalid', problems };
  const answer = (now: Date) => ({ rejectedBy: command.actor, rejectedAt: now, rejectionReason: command.reason });
  return decide(context, command, 'rejected', answer);
}

async function decide<Kind extends 'approved' | 'rejected'>(
  context: MerchantsContext,
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

/** Whether an actor is somebody who signed in. */
export function isPerson(actor: string): boolean {
  return actor.startsWith('staff:');
}

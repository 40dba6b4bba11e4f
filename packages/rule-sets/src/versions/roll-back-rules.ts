import type { Mode, Prisma } from '@switchyard/db/client';
import type { RuleSet } from '@switchyard/routing';
import { parseRuleDocument } from '@switchyard/routing/rule-set';
import { type Change, changeConfiguration, type FieldProblem } from '@switchyard/runtime';
import type { RuleSetsContext } from '../context.ts';
import { documentOf } from '../drafts/document.ts';
import { type RuleDraft, toDraft } from '../drafts/draft.ts';
import { insertRuleDraft, updateRuleDraft } from '../drafts/queries.ts';
import { reasonProblems } from '../drafts/rule-fields.ts';
import { type Candidate, checkReadiness, numberPublication, type PublicationRefusal, publicationAudit } from './publication.ts';
import { findRuleSetVersionRow, insertPublishedRuleSet } from './queries.ts';

/** Asks to put the rules of an earlier version into force. */
export interface RollBackRulesCommand {
  readonly merchantId: string;
  readonly mode: Mode;
  /** The version whose rules are restored. */
  readonly version: number;
  /** The active version that the caller read. */
  readonly baseVersion: number;
  /** Why, in their words, up to 500 characters. */
  readonly reason: string | null;
  readonly actor: string;
}

/** The new version, or why there is none. */
export type RollBackRulesOutcome =
  /** The old rules are active as a new version; history only ever grows. */
  | { readonly kind: 'published'; readonly ruleSetId: string; readonly ruleSet: RuleSet }
  /** The old rules name accounts that the merchant no longer has, at these paths. */
  | { readonly kind: 'accounts_gone'; readonly problems: readonly FieldProblem[] }
  /** A second person has to approve first: a draft of the old rules is ready, its approval requested. */
  | { readonly kind: 'needs_approval'; readonly draft: RuleDraft }
  | { readonly kind: 'already_in_force' }
  | { readonly kind: 'unknown_version' }
  | Exclude<PublicationRefusal, { kind: 'needs_approval' }>
  | { readonly kind: 'not_found' };

/** Publishes the rules of an earlier version again, in one step, with the same checks as any publication. */
export async function rollBackRules(context: RuleSetsContext, command: RollBackRulesCommand): Promise<RollBackRulesOutcome> {
  const { merchantId, mode, version, baseVersion, reason, actor } = command;
  const problems = reasonProblems(reason);
  if (problems.length > 0) return { kind: 'invalid', problems };
  return changeConfiguration<RollBackRulesOutcome>(context, command, async (transaction, now) => {
    const old = await findRuleSetVersionRow(transaction, { merchantId, mode, version });
    if (old === null) return { outcome: { kind: 'unknown_version' }, audit: null };
    if (old.state === 'PUBLISHED') return { outcome: { kind: 'already_in_force' }, audit: null };
    const read = parseRuleDocument(old.document);
    if (!read.ok) return { outcome: { kind: 'invalid', problems: read.problems }, audit: null };
    const candidate = { merchantId, mode, baseVersion, ruleSet: read.ruleSet, approved: false };
    const readiness = await checkReadiness(transaction, candidate);
    if (readiness.kind === 'invalid') {
      return { outcome: { kind: 'accounts_gone', problems: readiness.problems }, audit: null };
    }
    const id = context.newId();
    if (readiness.kind === 'needs_approval') return askForApproval(transaction, { ...command, id }, candidate, now);
    if (readiness.kind !== 'ready') return { outcome: readiness, audit: null };
    const { current } = readiness;
    const publication = await numberPublication(transaction, candidate, current, { reason, publishedBy: actor, now });
    const row = { merchantId, id, mode, baseVersion, restoredVersion: version };
    const { ruleSet, at, ...written } = publication;
    await insertPublishedRuleSet(transaction, { ...row, ...written }, at);
    return {
      outcome: { kind: 'published', ruleSetId: id, ruleSet },
      audit: publicationAudit('rule_set.rolled_back', row, current, publication, { restoredVersion: version }),
    };
  });
}

/** Creates the draft of the old rules and requests its approval. */
async function askForApproval(
  transaction: Prisma.TransactionClient,
  command: RollBackRulesCommand & { readonly id: string },
  { merchantId, mode, baseVersion, ruleSet }: Candidate,
  now: Date,
): Promise<Change<RollBackRulesOutcome>> {
  const { id, version, reason, actor } = command;
  const draft = {
    merchantId,
    id,
    mode,
    name: `Back to version ${version}`,
    document: documentOf(ruleSet),
    baseVersion,
    restoredVersion: version,
    reason,
    createdBy: actor,
  };
  const row = await insertRuleDraft(transaction, draft, now);
  const requested = await updateRuleDraft(transaction, row, { approvalRequestedBy: actor, approvalRequestedAt: now }, now);
  return {
    outcome: { kind: 'needs_approval', draft: toDraft(requested) },
    audit: {
      action: 'rule_set.approval_requested',
      objectType: 'rule_set_version',
      objectId: id,
      before: null,
      after: { mode, revision: row.revision, baseVersion, restoredVersion: version, reason },
    },
    inForce: false,
  };
}

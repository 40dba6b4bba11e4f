import type { RuleSetVersion } from '@switchyard/db/client';
import { isSameJson } from '@switchyard/routing/same-json';
import { changeConfiguration, type FieldProblem } from '@switchyard/runtime';
import type { RuleSetsContext } from '../context.ts';
import { endShadowRun } from '../shadow/queries.ts';
import { findPublishedRuleSet } from '../versions/queries.ts';
import { storableDocument } from './document.ts';
import { approvalOf, type DraftKey, type DraftRefusal, findOpenDraft, NO_APPROVAL, type RuleDraft, toDraft } from './draft.ts';
import { type RuleDraftChanges, updateRuleDraft } from './queries.ts';
import { nameProblems } from './rule-fields.ts';

/** Asks to store an edited draft. */
export interface SaveDraftCommand extends DraftKey {
  /** The revision the changes were made on. */
  readonly revision: number;
  /** Replaces the whole document. It need not be valid yet; {@link validateRules} lists its problems. */
  readonly document: unknown;
  /** Omitted, it stays unchanged. */
  readonly name?: string | null;
  /** Set to the active version after merging what others published meanwhile; omitted, it stays unchanged. */
  readonly baseVersion?: number;
  readonly actor: string;
}

/** The stored draft, or why it was not stored. */
export type SaveDraftOutcome =
  /** `approvalWithdrawn`: a request for approval, or its answer, was removed, because it was about the previous document. */
  | { readonly kind: 'saved'; readonly draft: RuleDraft; readonly approvalWithdrawn: boolean }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | DraftRefusal;

/**
 * Saves a draft. When it was saved since `revision`, returns the present draft and overwrites nothing. A changed document stops the
 * draft's shadow run, which is of the previous one.
 */
export async function saveDraft(context: RuleSetsContext, command: SaveDraftCommand): Promise<SaveDraftOutcome> {
  const { name, actor } = command;
  const storable = storableDocument(command.document);
  const problems = [...(storable.ok ? [] : storable.problems), ...(name === undefined ? [] : nameProblems(name))];
  if (!storable.ok || problems.length > 0) return { kind: 'invalid', problems };
  return changeConfiguration<SaveDraftOutcome>(context, command, async (transaction, now) => {
    const found = await findOpenDraft(transaction, command);
    if (found.kind !== 'found') return { outcome: found, audit: null };
    const { row } = found;
    const baseVersion = command.baseVersion ?? row.baseVersion;
    if (baseVersion !== row.baseVersion && baseVersion !== ((await findPublishedRuleSet(transaction, row))?.version ?? 0)) {
      const message = 'must be the active version, or stay as it was';
      return { outcome: { kind: 'invalid', problems: [{ field: 'baseVersion', message }] }, audit: null };
    }
    const changes: RuleDraftChanges = {
      ...NO_APPROVAL,
      document: storable.document,
      ...(name !== undefined && { name: name?.trim() ?? null }),
      baseVersion,
      revision: row.revision + 1,
      savedBy: actor,
      editors: [...new Set([...row.editors, actor])],
      scheduleRefusal: null,
    };
    const saved = await updateRuleDraft(transaction, row, changes, now);
    const isChanged = !isSameJson(row.document, storable.document);
    const end = { ended: 'SAVED', endedBy: actor, endedAt: now } as const;
    const shadowStopped = isChanged && (await endShadowRun(transaction, command, end));
    return {
      outcome: { kind: 'saved', draft: toDraft(saved), approvalWithdrawn: approvalOf(row).state !== 'none' },
      audit: {
        action: 'rule_set.draft_saved',
        objectType: 'rule_set_version',
        objectId: row.id,
        before: forAudit(row),
        after: { ...forAudit(saved), ...(shadowStopped && { shadowStopped }) },
      },
      inForce: false,
    };
  });
}

function forAudit({ mode, name, revision, baseVersion }: RuleSetVersion) {
  return { mode, name, revision, baseVersion };
}

import { isUuid } from '@switchyard/db';
import type { Mode, RuleSetVersion } from '@switchyard/db/client';
import { findMerchantRow } from '@switchyard/merchants';
import { analyse, compareFindings, type FindingComparison } from '@switchyard/routing/analyse';
import { isSameJson } from '@switchyard/routing/same-json';
import { changeConfiguration, type FieldProblem } from '@switchyard/runtime';
import type { RuleSetsContext } from '../context.ts';
import {
  checkDocument,
  type DocumentCheck,
  declaredKeys,
  nameProblems,
  ruleSetOf,
  storableDocument,
} from '../document/check-document.ts';
import { readRoutableAccounts } from '../document/named-accounts.ts';
import { findRuleSetById, listRuleDraftRows, type RuleDraftChanges, updateRuleDraft } from '../rows/drafts.ts';
import { findRuleSet, type RuleSetScope, type RuleSetSource } from '../rows/rule-set-source.ts';
import { endShadowRun, readOpenShadowEnds } from '../rows/shadow.ts';
import { findPublishedRuleSet } from '../rows/versions.ts';
import {
  approvalOf,
  DRAFTS_MAX,
  type DraftKey,
  type DraftRefusal,
  findOpenDraft,
  isOwnWork,
  NO_APPROVAL,
  type RuleDraft,
  type RuleDraftInList,
  toDraft,
  toDraftInList,
} from './create-draft.ts';

export { createDraft } from './create-draft.ts';

/** A draft in a list, with when its shadow run ends; null while none runs. */
interface ListedRuleDraft extends RuleDraftInList {
  readonly shadowEndsAt: Date | null;
}

/** A merchant's drafts of one mode, scheduled ones too, last changed first; without their documents. */
export async function listDrafts(
  context: RuleSetsContext,
  query: { readonly merchantId: string; readonly mode: Mode },
): Promise<ListedRuleDraft[]> {
  const { database } = context.resources;
  const [rows, shadows] = await Promise.all([
    listRuleDraftRows(database, { merchantIds: [query.merchantId], mode: query.mode, limit: DRAFTS_MAX }),
    isUuid(query.merchantId) ? readOpenShadowEnds(database.prisma, query) : new Map<string, Date>(),
  ]);
  return rows.map(toDraftInList).map((draft) => ({ ...draft, shadowEndsAt: shadows.get(draft.draftId) ?? null }));
}

const UNPUBLISHED_MAX = 500;

/**
 * Drafts of these merchants that wait for a person to publish or continue them, last changed first: no scheduled ones, unless
 * their publication was refused, and no one that awaits the approval of others, unless it is the staff user's own work. At most 500.
 */
export async function listUnpublishedDrafts(
  context: RuleSetsContext,
  { staffId, ...query }: { readonly merchantIds: readonly string[]; readonly mode: Mode; readonly staffId: string },
): Promise<RuleDraftInList[]> {
  const rows = await listRuleDraftRows(context.resources.database, { ...query, limit: UNPUBLISHED_MAX });
  return rows
    .map(toDraftInList)
    .filter(({ state, scheduleRefusal }) => state === 'DRAFT' || scheduleRefusal !== null)
    .filter((draft) => draft.approval.state !== 'requested' || isOwnWork(draft, `staff:${staffId}`));
}

/** One draft with its document, whatever its `state` is now. Null when the merchant has none of that id. */
export async function findDraft(context: RuleSetsContext, { merchantId, draftId }: DraftKey): Promise<RuleDraft | null> {
  const row = await findRuleSetById(context.resources.database.prisma, merchantId, draftId);
  return row === null ? null : toDraft(row);
}

/** Asks to discard a draft. */
interface DiscardDraftCommand extends DraftKey {
  /** The revision that is discarded. */
  readonly revision: number;
  readonly actor: string;
}

/** Result of discarding a draft, or the reason why it was refused. */
type DiscardDraftOutcome = { readonly kind: 'discarded' } | DraftRefusal;

/** Discards a draft, unless it was saved since `revision`. Stops its shadow run. */
export async function discardDraft(context: RuleSetsContext, command: DiscardDraftCommand): Promise<DiscardDraftOutcome> {
  return changeConfiguration<DiscardDraftOutcome>(context, command, async (transaction, now) => {
    const found = await findOpenDraft(transaction, command);
    if (found.kind !== 'found') return { outcome: found, audit: null };
    const { id, mode, name, revision } = found.row;
    await updateRuleDraft(transaction, found.row, { state: 'DISCARDED' }, now);
    const end = { ended: 'DISCARDED', endedAt: now } as const;
    const shadowStopped = await endShadowRun(transaction, command, end);
    const before = { mode, name, revision, ...(shadowStopped && { shadowStopped }) };
    return {
      outcome: { kind: 'discarded' },
      audit: { action: 'rule_set.draft_discarded', objectType: 'rule_set_version', objectId: id, before, after: null },
      inForce: false,
    };
  });
}

/** Selects the rules to check. */
interface ValidateRulesQuery extends RuleSetScope {
  /** A stored rule set, or an unsaved document as plain JSON. */
  readonly rules: RuleSetSource | { readonly kind: 'document'; readonly document: unknown };
}

/** A check with what it finds that the active version has not, and the reverse. */
interface ComparedCheck extends DocumentCheck {
  /** Null for the active version itself, and while none is. */
  readonly compared: ({ readonly version: number } & FindingComparison) | null;
}

/** Problems and findings of the rules; `not_found` when a stored rule set does not exist. */
type ValidateRulesOutcome = ({ readonly kind: 'checked' } & ComparedCheck) | { readonly kind: 'not_found' };

/**
 * Checks a document: problems that block its publication, and findings to review, compared with those of the version in force. Changes
 * nothing.
 */
export async function validateRules(context: RuleSetsContext, query: ValidateRulesQuery): Promise<ValidateRulesOutcome> {
  const { prisma } = context.resources.database;
  const { rules } = query;
  const merchant = await findMerchantRow(prisma, query.merchantId);
  if (merchant === null) return { kind: 'not_found' };
  const stored = rules.kind === 'document' ? rules : await findRuleSet(prisma, query, rules);
  if (stored === null) return { kind: 'not_found' };
  const accounts = await readRoutableAccounts(prisma, query);
  const check = checkDocument(stored.document, accounts, declaredKeys(merchant));
  const live = rules.kind === 'published' ? null : ruleSetOf(await findPublishedRuleSet(prisma, query));
  if (live === null) return { kind: 'checked', ...check, compared: null };
  const comparison = compareFindings(analyse(live, accounts).findings, check.findings);
  return { kind: 'checked', ...check, compared: { version: live.version, ...comparison } };
}

/** Asks to store an edited draft. */
interface SaveDraftCommand extends DraftKey {
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
type SaveDraftOutcome =
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
    const end = { ended: 'SAVED', endedAt: now } as const;
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

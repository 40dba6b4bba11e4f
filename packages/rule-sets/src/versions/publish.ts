import type { Mode, Prisma, RuleSetVersion } from '@switchyard/db/client';
import type { RuleSet } from '@switchyard/routing';
import { parseRuleDocument } from '@switchyard/routing/rule-set';
import { type Change, changeConfiguration } from '@switchyard/runtime';
import type { RuleSetsContext } from '../context.ts';
import { reasonProblems } from '../document/check-document.ts';
import { approvalOf, type DraftKey, type DraftRefusal, findOpenDraft, type RuleDraft, toDraft } from '../drafts/create-draft.ts';
import { updateRuleDraft } from '../rows/drafts.ts';
import { insertPublishedRuleSet, publishRuleDraft } from '../rows/publications.ts';
import { endShadowRun } from '../rows/shadow.ts';
import { type Candidate, checkReadiness, numberPublication, type PublicationRefusal, publicationAudit } from './publication.ts';

/** Asks to publish a draft, now or later. */
export interface PublishDraftCommand extends DraftKey {
  /** The revision that the publisher read. */
  readonly revision: number;
  /** When it comes into force: null for now, else up to a year ahead. */
  readonly at: Date | null;
  /** Why, in the publisher's words, up to 500 characters. */
  readonly reason: string | null;
  readonly actor: string;
}

/** The published or scheduled rules, or why they were refused. */
export type PublishDraftOutcome =
  | { readonly kind: 'published'; readonly ruleSetId: string; readonly ruleSet: RuleSet }
  | { readonly kind: 'scheduled'; readonly draft: RuleDraft }
  | PublicationRefusal
  | DraftRefusal;

const AHEAD_MAX_MS = 366 * 24 * 60 * 60 * 1_000;

/**
 * Publishes a draft now, or schedules its publication ({@link publishScheduledRules} repeats all checks at that time). The draft's
 * row becomes the version: its document never changes again.
 */
export async function publishDraft(context: RuleSetsContext, command: PublishDraftCommand): Promise<PublishDraftOutcome> {
  const { at, reason, actor } = command;
  const problems = [...reasonProblems(reason), ...timeProblems(at, context.now())];
  if (problems.length > 0) return { kind: 'invalid', problems };
  return changeConfiguration<PublishDraftOutcome>(context, command, async (transaction, now) => {
    const found = await findOpenDraft(transaction, command);
    if (found.kind !== 'found') return { outcome: found, audit: null };
    const { row } = found;
    const ready = await checkDraft(transaction, row);
    if (ready.kind !== 'ready') return { outcome: ready, audit: null };
    if (at === null) return activateRuleSet(transaction, row, ready, { reason, publishedBy: actor, now });
    const changes = { state: 'SCHEDULED', publishAt: at, scheduledBy: actor, reason, scheduleRefusal: null } as const;
    const scheduled = await updateRuleDraft(transaction, row, changes, now);
    const after = { mode: row.mode, revision: row.revision, publishAt: at.toISOString(), reason };
    return {
      outcome: { kind: 'scheduled', draft: toDraft(scheduled) },
      audit: { action: 'rule_set.scheduled', objectType: 'rule_set_version', objectId: row.id, before: null, after },
      inForce: false,
    };
  });
}

/** A draft that may be published now. */
export interface ReadyDraft {
  readonly kind: 'ready';
  readonly candidate: Candidate;
  readonly current: RuleSetVersion | null;
}

/** Checks whether a draft may be published now. */
export async function checkDraft(
  transaction: Prisma.TransactionClient,
  row: RuleSetVersion,
): Promise<ReadyDraft | PublicationRefusal> {
  const read = parseRuleDocument(row.document);
  if (!read.ok) return { kind: 'invalid', problems: read.problems };
  const { merchantId, mode, baseVersion } = row;
  const approved = approvalOf(row).state === 'approved';
  const candidate = { merchantId, mode, baseVersion, ruleSet: read.ruleSet, approved };
  const readiness = await checkReadiness(transaction, candidate);
  return readiness.kind === 'ready' ? { ...readiness, candidate } : readiness;
}

/** Writes a checked draft as the active version, and stops its shadow run. */
export async function activateRuleSet(
  transaction: Prisma.TransactionClient,
  row: RuleSetVersion,
  { candidate, current }: ReadyDraft,
  by: { readonly reason: string | null; readonly publishedBy: string; readonly now: Date },
): Promise<Change<Extract<PublishDraftOutcome, { kind: 'published' }>>> {
  const publication = await numberPublication(transaction, candidate, current, by);
  const { ruleSet, at, keysDeclared: _, ...written } = publication;
  const canaryStopped = await publishRuleDraft(transaction, row, written, at);
  const end = { ended: 'PUBLISHED', endedAt: by.now } as const;
  const shadowStopped = await endShadowRun(transaction, { merchantId: row.merchantId, draftId: row.id }, end);
  const { approvedBy, scheduledBy } = row;
  return {
    outcome: { kind: 'published', ruleSetId: row.id, ruleSet },
    audit: publicationAudit('rule_set.published', row, current, publication, {
      ...(approvedBy !== null && { approvedBy }),
      ...(shadowStopped && { shadowStopped }),
      ...(canaryStopped !== null && { canaryStopped }),
      ...(scheduledBy !== null && { scheduledBy }),
      ...(row.restoredVersion !== null && { restoredVersion: row.restoredVersion }),
    }),
  };
}

function timeProblems(at: Date | null, now: Date) {
  if (at === null) return [];
  const isAhead = at > now && at.getTime() <= now.getTime() + AHEAD_MAX_MS;
  return isAhead ? [] : [{ field: 'at', message: 'must lie in the future, and within a year' }];
}

/** Asks to publish a document that no draft holds. */
export interface PublishRulesCommand {
  readonly merchantId: string;
  readonly mode: Mode;
  /** `{ keys?, rules, defaultOrder, expectations? }` as plain JSON; a `version` in it is ignored. */
  readonly document: unknown;
  /** The published version the document was written from; 0 when there was none. */
  readonly baseVersion: number;
  /** Why, in the publisher's words, up to 500 characters. */
  readonly reason: string | null;
  readonly actor: string;
}

/** The published rules, or why they were refused. */
export type PublishRulesOutcome =
  | { readonly kind: 'published'; readonly ruleSetId: string; readonly ruleSet: RuleSet }
  | PublicationRefusal
  | { readonly kind: 'not_found' };

/**
 * Publishes a merchant's routing rules as the next version and ends the one before, at once for new payments. Accounts the
 * document names must be the merchant's own, of that mode, and its expectations must hold. Where a merchant's rules need
 * approval they are published from an approved draft only.
 */
export async function publishRules(context: RuleSetsContext, command: PublishRulesCommand): Promise<PublishRulesOutcome> {
  const { merchantId, mode, baseVersion, reason, actor } = command;
  const read = parseRuleDocument(command.document);
  const problems = [...(read.ok ? [] : read.problems), ...reasonProblems(reason)];
  if (!read.ok || problems.length > 0) return { kind: 'invalid', problems };
  const candidate = { merchantId, mode, baseVersion, ruleSet: read.ruleSet, approved: false };
  return changeConfiguration<PublishRulesOutcome>(context, command, async (transaction, now) => {
    const readiness = await checkReadiness(transaction, candidate);
    if (readiness.kind !== 'ready') return { outcome: readiness, audit: null };
    const { current } = readiness;
    const publication = await numberPublication(transaction, candidate, current, { reason, publishedBy: actor, now });
    const row = { merchantId, id: context.newId(), mode, baseVersion };
    const { ruleSet, at, keysDeclared: _, ...written } = publication;
    const canaryStopped = await insertPublishedRuleSet(transaction, { ...row, ...written }, at);
    return {
      outcome: { kind: 'published', ruleSetId: row.id, ruleSet },
      audit: publicationAudit('rule_set.published', row, current, publication, canaryStopped === null ? {} : { canaryStopped }),
    };
  });
}

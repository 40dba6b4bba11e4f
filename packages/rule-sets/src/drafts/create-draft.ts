import type { JsonValue } from '@switchyard/db';
import type { Mode, Prisma, RuleSetVersion } from '@switchyard/db/client';
import { changeConfiguration, type FieldProblem } from '@switchyard/runtime';
import type { RuleSetsContext } from '../context.ts';
import { NO_RULES, nameProblems, storableDocument } from '../document/check-document.ts';
import { namedAccounts, readRoutableAccounts, renameAccounts } from '../document/named-accounts.ts';
import { inFile, type ReadRuleSetFile, readRuleSetFile } from '../files/rule-set-file.ts';
import { countRuleDrafts, findRuleSetById, insertRuleDraft } from '../rows/drafts.ts';
import { findPublishedRuleSet, findRuleSetVersionRow, type RuleSetSummary } from '../rows/versions.ts';

/** Most drafts of one merchant and mode that may be open at once. */
export const DRAFTS_MAX = 100;

/** The rules a draft begins with. */
export type DraftSource =
  | { readonly kind: 'published' }
  | { readonly kind: 'version'; readonly version: number }
  /** An exported file, as plain JSON; its labels are looked up among the merchant's accounts of the draft's mode. */
  | { readonly kind: 'file'; readonly file: unknown }
  | { readonly kind: 'empty' };

/** Asks for a new draft; `name` null leaves it unnamed. */
export interface CreateDraftCommand {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly from: DraftSource;
  readonly name: string | null;
  readonly actor: string;
}

/** The draft, or why none was created. */
export type CreateDraftOutcome =
  | { readonly kind: 'created'; readonly draft: RuleDraft }
  /** The name cannot be stored, or the file cannot be imported: every problem, at its path in the file. */
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly kind: 'unknown_version' }
  | { readonly kind: 'too_many_drafts'; readonly limit: number }
  | { readonly kind: 'not_found' };

/** Creates a draft. Whatever it is copied from, its base is the active version now, and it can replace only that version. */
export async function createDraft(context: RuleSetsContext, command: CreateDraftCommand): Promise<CreateDraftOutcome> {
  const problems = nameProblems(command.name);
  if (problems.length > 0) return { kind: 'invalid', problems };
  return changeConfiguration<CreateDraftOutcome>(context, command, async (transaction, now) => {
    if ((await countRuleDrafts(transaction, command)) >= DRAFTS_MAX) {
      return { outcome: { kind: 'too_many_drafts', limit: DRAFTS_MAX }, audit: null };
    }
    const source = await readSource(transaction, command);
    if (source.kind !== 'document') return { outcome: source, audit: null };
    const { merchantId, mode, from, name, actor } = command;
    const row = await insertRuleDraft(
      transaction,
      {
        merchantId,
        id: context.newId(),
        mode,
        name: name?.trim() ?? null,
        document: source.document,
        baseVersion: (await findPublishedRuleSet(transaction, command))?.version ?? 0,
        restoredVersion: from.kind === 'version' ? from.version : null,
        reason: null,
        createdBy: actor,
      },
      now,
    );
    const after = { mode, name: row.name, from: from.kind, baseVersion: row.baseVersion, restoredVersion: row.restoredVersion };
    return {
      outcome: { kind: 'created', draft: toDraft(row) },
      audit: { action: 'rule_set.drafted', objectType: 'rule_set_version', objectId: row.id, before: null, after },
      inForce: false,
    };
  });
}

type Source =
  | { readonly kind: 'document'; readonly document: JsonValue }
  | Extract<CreateDraftOutcome, { kind: 'invalid' | 'unknown_version' }>;

async function readSource(transaction: Prisma.TransactionClient, command: CreateDraftCommand): Promise<Source> {
  const { merchantId, mode, from } = command;
  switch (from.kind) {
    case 'empty':
      return copyOf(NO_RULES);
    case 'published':
      return copyOf((await findPublishedRuleSet(transaction, command))?.document ?? NO_RULES);
    case 'version': {
      const old = await findRuleSetVersionRow(transaction, { merchantId, mode, version: from.version });
      return old === null ? { kind: 'unknown_version' } : copyOf(old.document);
    }
    case 'file': {
      const imported = await importRuleSet(transaction, command, from.file);
      return imported.ok ? copyOf(imported.ruleSet) : { kind: 'invalid', problems: imported.problems };
    }
    default:
      return from satisfies never;
  }
}

function copyOf(document: unknown): Source {
  const stored = storableDocument(document);
  return stored.ok ? { kind: 'document', document: stored.document } : { kind: 'invalid', problems: stored.problems };
}

/** Parses a file for a merchant and mode: labels become account ids; each unknown label is a problem at its path. */
async function importRuleSet(
  transaction: Prisma.TransactionClient,
  scope: { readonly merchantId: string; readonly mode: Mode },
  file: unknown,
): Promise<ReadRuleSetFile> {
  const read = readRuleSetFile(file);
  if (!read.ok) return read;
  const accounts = await readRoutableAccounts(transaction, scope);
  const idOf = new Map(accounts.map(({ label, accountId }) => [label, accountId]));
  const problems = namedAccounts(read.ruleSet)
    .filter(({ account }) => !idOf.has(account))
    .map(({ path, account }) => ({
      field: inFile(path),
      message: `names "${account}", and the merchant has no account of that label in ${scope.mode} mode`,
    }));
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, ruleSet: renameAccounts(read.ruleSet, (label) => idOf.get(label) ?? label) };
}

/** State of a draft's approval by a second person. */
export type DraftApproval =
  | { readonly state: 'none' }
  | { readonly state: 'requested'; readonly requestedBy: string; readonly requestedAt: Date }
  | { readonly state: 'approved'; readonly requestedBy: string; readonly by: string; readonly at: Date }
  | {
      readonly state: 'rejected';
      readonly requestedBy: string;
      readonly by: string;
      readonly at: Date;
      readonly reason: string | null;
    };

/** A rule set in progress. */
export interface RuleDraftInList {
  readonly draftId: string;
  readonly merchantId: string;
  readonly mode: Mode;
  readonly name: string | null;
  /** `SCHEDULED` drafts are published automatically at `publishAt` and cannot be edited until their schedule is cancelled. */
  readonly state: RuleSetVersion['state'];
  /** Raised by every save; callers that save, publish or approve send the revision they read. */
  readonly revision: number;
  /** The published version it is based on; 0 for none. */
  readonly baseVersion: number;
  /** The earlier version it began as a copy of, or null. */
  readonly restoredVersion: number | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly savedBy: string;
  /** All users who wrote in it; none of them can approve it. */
  readonly editors: readonly string[];
  readonly approval: DraftApproval;
  readonly publishAt: Date | null;
  readonly scheduledBy: string | null;
  /** Why it was not published at its scheduled time; null when that never happened, or it was saved or scheduled since. */
  readonly scheduleRefusal: ScheduleRefusal | null;
  readonly updatedAt: Date;
}

/** A draft with its document. */
export interface RuleDraft extends RuleDraftInList {
  /** `{ keys?, rules, defaultOrder, expectations? }` as saved, which need not be valid yet. */
  readonly document: unknown;
}

/** Why a scheduled publication did not happen. */
export interface ScheduleRefusal {
  /** When publishing was tried, ISO 8601. */
  readonly at: string;
  readonly kind: string;
  /** One sentence. */
  readonly message: string;
}

/** Why an operation on a draft was refused. Nothing was changed. */
export type DraftRefusal =
  | { readonly kind: 'not_found' }
  /** It is scheduled, was published or was discarded meanwhile. */
  | { readonly kind: 'not_a_draft'; readonly state: RuleSetVersion['state'] }
  /** It was saved since the revision sent: this is the present draft. Nothing was overwritten. */
  | { readonly kind: 'stale'; readonly draft: RuleDraft };

/** Identifies a draft of a merchant. */
export interface DraftKey {
  readonly merchantId: string;
  readonly draftId: string;
}

type FoundDraft = { readonly kind: 'found'; readonly row: RuleSetVersion } | DraftRefusal;

/** Finds a draft at the revision the caller read, or the refusal. Call it under the merchant's configuration lock. */
export async function findOpenDraft(
  transaction: Prisma.TransactionClient,
  { merchantId, draftId, revision }: DraftKey & { readonly revision: number },
): Promise<FoundDraft> {
  const row = await findRuleSetById(transaction, merchantId, draftId);
  if (row === null) return { kind: 'not_found' };
  if (row.state !== 'DRAFT') return { kind: 'not_a_draft', state: row.state };
  if (row.revision !== revision) return { kind: 'stale', draft: toDraft(row) };
  return { kind: 'found', row };
}

/** True if an actor edited a draft or requested its approval, and therefore cannot approve it. */
export function isOwnWork(
  { createdBy, editors, approval }: Pick<RuleDraftInList, 'createdBy' | 'editors' | 'approval'>,
  actor: string,
): boolean {
  return createdBy === actor || editors.includes(actor) || (approval.state !== 'none' && approval.requestedBy === actor);
}

/** Approval columns after a write: an approval is for exactly one document. */
export const NO_APPROVAL = {
  approvalRequestedBy: null,
  approvalRequestedAt: null,
  approvedBy: null,
  approvedAt: null,
  rejectedBy: null,
  rejectedAt: null,
  rejectionReason: null,
};

/** A draft with its document, as stored. */
export function toDraft(row: RuleSetVersion): RuleDraft {
  return { ...toDraftInList(row), document: row.document };
}

/** A draft without its document. */
export function toDraftInList(row: RuleSetSummary): RuleDraftInList {
  return {
    draftId: row.id,
    merchantId: row.merchantId,
    mode: row.mode,
    name: row.name,
    state: row.state,
    revision: row.revision,
    baseVersion: row.baseVersion,
    restoredVersion: row.restoredVersion,
    createdBy: row.createdBy,
    createdAt: row.createdAt,
    savedBy: row.savedBy ?? row.createdBy,
    editors: row.editors,
    approval: approvalOf(row),
    publishAt: row.publishAt,
    scheduledBy: row.scheduledBy,
    scheduleRefusal: refusalOf(row.scheduleRefusal),
    updatedAt: row.updatedAt,
  };
}

/** The state of the approval of a draft. An approval or rejection takes precedence over the request that it answers. */
export function approvalOf(row: RuleSetSummary): DraftApproval {
  const { approvalRequestedBy: requestedBy, approvalRequestedAt: requestedAt } = row;
  if (requestedBy === null || requestedAt === null) return { state: 'none' };
  if (row.approvedBy !== null && row.approvedAt !== null) {
    return { state: 'approved', requestedBy, by: row.approvedBy, at: row.approvedAt };
  }
  if (row.rejectedBy !== null && row.rejectedAt !== null) {
    return { state: 'rejected', requestedBy, by: row.rejectedBy, at: row.rejectedAt, reason: row.rejectionReason };
  }
  return { state: 'requested', requestedBy, requestedAt };
}

function refusalOf(stored: RuleSetSummary['scheduleRefusal']): ScheduleRefusal | null {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return null;
  return { at: String(stored.at), kind: String(stored.kind), message: String(stored.message) };
}

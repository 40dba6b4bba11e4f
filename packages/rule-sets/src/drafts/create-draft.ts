import type { JsonValue } from '@switchyard/db';
import type { Mode, Prisma } from '@switchyard/db/client';
import { changeConfiguration, type FieldProblem } from '@switchyard/runtime';
import type { RuleSetsContext } from '../context.ts';
import { inFile, type ReadRuleSetFile, readRuleSetFile } from '../files/rule-set-file.ts';
import { findPublishedRuleSet, findRuleSetVersionRow } from '../versions/queries.ts';
import { NO_RULES, storableDocument } from './document.ts';
import { type RuleDraft, toDraft } from './draft.ts';
import { namedAccounts, renameAccounts } from './named-accounts.ts';
import { countRuleDrafts, insertRuleDraft } from './queries.ts';
import { readRoutableAccounts } from './routable-accounts.ts';
import { nameProblems } from './rule-fields.ts';

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

import { parseRuleDocument } from '@switchyard/routing/rule-set';
import type { FieldProblem } from '@switchyard/runtime';
import type { RuleSetsContext } from '../context.ts';
import { readRoutableAccounts } from '../document/named-accounts.ts';
import { findRuleSet, type RuleSetScope, type RuleSetSource } from '../rows/rule-set-source.ts';
import { type AccountsFile, toAccountsFile } from './accounts-file.ts';
import { formatRuleSetFile, RULE_SET_FILE_SCHEMA_PATH, type RuleSetFile, toRuleSetFile } from './rule-set-file.ts';

export { RULE_SET_FILE_SCHEMA_PATH, ruleSetFileJsonSchema } from './rule-set-file.ts';

/** The rules as a file, or why they cannot be exported. */
type ExportRulesOutcome =
  /** `text` is the file's content: the same rules give the same text. */
  | { readonly kind: 'exported'; readonly file: RuleSetFile; readonly text: string }
  /** A draft that does not parse yet cannot be exported. */
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  /** The rules name accounts that the merchant no longer has, at these paths. */
  | { readonly kind: 'accounts_gone'; readonly problems: readonly FieldProblem[] }
  | { readonly kind: 'not_found' };

/** A rule set as a file for the merchant's repository, for another mode or another merchant. */
export async function exportRules(
  context: RuleSetsContext,
  query: RuleSetScope & { readonly rules: RuleSetSource },
): Promise<ExportRulesOutcome> {
  const { database, publicUrl } = context.resources;
  const row = await findRuleSet(database.prisma, query, query.rules);
  if (row === null) return { kind: 'not_found' };
  const read = parseRuleDocument(row.document);
  if (!read.ok) return { kind: 'invalid', problems: read.problems };
  const accounts = await readRoutableAccounts(database.prisma, query);
  const labels = new Map(accounts.map(({ accountId, label }) => [accountId, label]));
  const about = { mode: query.mode, schemaUrl: `${publicUrl}${RULE_SET_FILE_SCHEMA_PATH}` };
  const exported = toRuleSetFile({ ...read.ruleSet, version: row.version ?? 0 }, about, (accountId) => labels.get(accountId));
  if (!exported.ok) return { kind: 'accounts_gone', problems: exported.problems };
  return { kind: 'exported', file: exported.file, text: formatRuleSetFile(exported.file) };
}

/** A merchant's accounts of one mode as the file that `switchyard-admin rules check` takes beside the rules. Contains no secrets. */
export async function exportAccounts(context: RuleSetsContext, scope: RuleSetScope): Promise<AccountsFile> {
  return toAccountsFile(scope.mode, await readRoutableAccounts(context.resources.database.prisma, scope));
}

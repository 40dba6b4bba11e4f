import type { Mode } from '@switchyard/db/client';
import { enteredSchedule } from '@switchyard/merchants/console/fee-contracts';
import { PAYMENT_METHODS, type RoutableAccount } from '@switchyard/routing';
import { parseRuleDocument } from '@switchyard/routing/rule-set';
import { type FieldProblem, fieldProblems } from '@switchyard/runtime';
import { z } from 'zod';
import type { RuleSetsContext } from '../context.ts';
import { readRoutableAccounts } from '../document/named-accounts.ts';
import { findRuleSet, type RuleSetScope, type RuleSetSource } from '../rows/rule-set-source.ts';
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

/** Accounts as a file beside the rules, so that rules can be checked without a database. */
interface AccountsFile {
  readonly schemaVersion: 1;
  readonly mode: Mode;
  readonly accounts: readonly Omit<RoutableAccount, 'accountId'>[];
}

const amount = z.int('must be a whole number').min(0, 'must not be negative');
const flag = z.boolean('must be true or false');
const text = z.string('must be text').min(1, 'must not be empty').max(128, 'must have at most 128 characters');

const schema = z.strictObject({
  schemaVersion: z.literal(1, 'must be 1'),
  mode: z.enum(['test', 'live'], 'must be test or live'),
  accounts: z
    .array(
      z.strictObject({
        gateway: text,
        label: text,
        enabled: flag,
        configured: flag,
        currencies: z.array(text, 'must be a list').max(50, 'must have at most 50 entries'),
        methods: z.array(z.enum(PAYMENT_METHODS, `must be one of ${PAYMENT_METHODS.join(', ')}`), 'must be a list'),
        minAmount: amount,
        maxAmount: amount.nullable(),
        fees: enteredSchedule.nullable(),
      }),
      'must be a list',
    )
    .max(1_000, 'must have at most 1000 entries'),
}) satisfies z.ZodType<AccountsFile>;

/** The accounts as a file, sorted by label, without ids: labels identify them. */
function toAccountsFile(mode: Mode, accounts: readonly RoutableAccount[]): AccountsFile {
  const withoutId = accounts.map(({ accountId, ...account }) => account);
  return { schemaVersion: 1, mode, accounts: withoutId.toSorted((left, right) => (left.label < right.label ? -1 : 1)) };
}

/** Parses the file from plain JSON. Account ids are the labels, as in a rule-set file. */
export function readAccountsFile(
  json: unknown,
):
  | { readonly ok: true; readonly accounts: readonly RoutableAccount[] }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] } {
  const parsed = schema.safeParse(json);
  if (!parsed.success) return { ok: false, problems: fieldProblems(parsed.error) };
  return { ok: true, accounts: parsed.data.accounts.map((account) => ({ ...account, accountId: account.label })) };
}

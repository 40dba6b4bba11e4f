import { PAYMENT_METHODS, type RoutableAccount, type RuleSet } from '@switchyard/routing';
import type { FindingKind } from '@switchyard/routing/analyse';
import type { FieldProblem } from '@switchyard/runtime';
import { checkRuleSet, type DocumentCheck } from '../drafts/check-document.ts';
import { namedAccounts } from '../drafts/named-accounts.ts';
import { readAccountsFile } from './accounts-file.ts';
import { inFile, readRuleSetFile } from './rule-set-file.ts';

/** The result of checking a rule file outside the database. */
export type RuleSetFileCheck =
  | CheckedRuleSetFile
  | { readonly kind: 'unreadable_accounts'; readonly problems: readonly FieldProblem[] };

/** Result of the check of a file. */
export type CheckedRuleSetFile = {
  readonly kind: 'checked';
  /** True without an accounts file: every label was assumed to be an enabled account that takes every payment. */
  readonly accountsAssumed: boolean;
} & DocumentCheck;

/** Findings that do not depend on accounts. */
const OF_RULES_ALONE: ReadonlySet<FindingKind> = new Set(['overlap', 'duplicate', 'shadowed', 'unreachable', 'gap', 'bad_split']);

/**
 * The check of {@link checkDocument} for an exported file, with nothing but the file and, where given, the accounts that
 * `exportAccounts` wrote, for a merchant's own pipeline. Problems have their path in the file; findings name labels.
 */
export function checkRuleSetFile(file: unknown, accountsFile: unknown): RuleSetFileCheck {
  const given = accountsFile === undefined ? null : readAccountsFile(accountsFile);
  if (given?.ok === false) return { kind: 'unreadable_accounts', problems: given.problems };
  const accountsAssumed = given === null;
  const read = readRuleSetFile(file);
  if (!read.ok) {
    return {
      kind: 'checked',
      accountsAssumed,
      blocks: true,
      problems: read.problems,
      expectations: [],
      findings: [],
      omitted: 0,
    };
  }
  const accounts = given?.accounts ?? assumedAccounts(read.ruleSet);
  const check = checkRuleSet(read.ruleSet, accounts, 'must be the label of an account in the accounts file');
  return {
    kind: 'checked',
    accountsAssumed,
    ...check,
    problems: check.problems.map(({ field, message }) => ({ field: inFile(field), message })),
    findings: accountsAssumed ? check.findings.filter(({ kind }) => OF_RULES_ALONE.has(kind)) : check.findings,
  };
}

/** One account per label that takes every payment the document mentions. */
function assumedAccounts(ruleSet: RuleSet): RoutableAccount[] {
  const payments = (ruleSet.expectations ?? []).map(({ payment }) => payment);
  const currencies = [...ruleSet.rules.map(({ when }) => when.currency), ...payments.map(({ currency }) => currency)];
  const methods = [...ruleSet.rules.flatMap(({ when }) => when.methods), ...payments.map(({ method }) => method)];
  const labels = new Set(namedAccounts(ruleSet).map(({ account }) => account));
  return Array.from(labels, (label) => ({
    accountId: label,
    gateway: label,
    label,
    enabled: true,
    configured: true,
    currencies: [...new Set(currencies)],
    methods: PAYMENT_METHODS.filter((method) => methods.includes(method)),
    minAmount: 0,
    maxAmount: null,
    fees: null,
  }));
}

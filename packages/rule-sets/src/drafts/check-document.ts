import type { FieldProblem } from '@switchyard/merchants';
import type { RoutableAccount, RuleSet } from '@switchyard/routing';
import { type Analysis, analyse, checkExpectations, type ExpectationResult } from '@switchyard/routing/analyse';
import { parseRuleDocument } from '@switchyard/routing/rule-set';
import { unknownAccounts } from './named-accounts.ts';

/**
 * Everything that can be said of a document before it is published.
 *
 * What the document itself gets wrong blocks its publication: `problems` (its form, accounts that are not the merchant's) and
 * expectations that do not hold. Findings never do, whatever their severity: they tell of accounts as they are this minute
 * (switched off, above their limit, alone), which no rule can mend, since routing tries every able account whether a rule names
 * it or not; and the rules that bring relief must be publishable while an account is out. `critical` and `warning` ask for a look,
 * `info` is for the record.
 */
export interface DocumentCheck extends Analysis {
  readonly blocks: boolean;
  readonly problems: readonly FieldProblem[];
  /** Each expectation of the document, kept or broken. */
  readonly expectations: readonly ExpectationResult[];
}

export const UNKNOWN_ACCOUNT = "must be one of the merchant's accounts in this mode";

/** Checks a document of any form against a merchant's accounts, all at once. */
export function checkDocument(document: unknown, accounts: readonly RoutableAccount[]): DocumentCheck {
  const read = parseRuleDocument(document);
  if (!read.ok) return { blocks: true, problems: read.problems, expectations: [], findings: [], omitted: 0 };
  return checkRuleSet(read.ruleSet, accounts, UNKNOWN_ACCOUNT);
}

/** The same for a document that has been read. Accounts that are not known are told with `unknown`. */
export function checkRuleSet(ruleSet: RuleSet, accounts: readonly RoutableAccount[], unknown: string): DocumentCheck {
  const known = new Set(accounts.map(({ accountId }) => accountId));
  const problems = unknownAccounts(ruleSet, (account) => known.has(account), unknown);
  const expectations = checkExpectations(ruleSet, accounts);
  const { findings, omitted } = analyse(ruleSet, accounts);
  return {
    blocks: problems.length > 0 || expectations.some(({ holds }) => !holds),
    problems,
    expectations,
    // Said already, with their paths, among the problems.
    findings: findings.filter(({ kind }) => kind !== 'unknown_account'),
    omitted,
  };
}

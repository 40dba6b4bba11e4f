import { type CompiledRuleSet, compileRuleSet } from '../decide/compile.ts';
import { decide } from '../decide/decide.ts';
import { keysByName } from '../keys/match-keys.ts';
import { comparedKeys } from '../keys/payment-keys.ts';
import type { Decision, Expectation, RoutableAccount, Rule, RuleSet } from '../types.ts';
import { describeExample } from './finding.ts';

/** Result of an expectation under a rule set. */
export interface ExpectationResult {
  /** Place in the rule set's expectations, from 0. */
  readonly position: number;
  readonly expectation: Expectation;
  readonly holds: boolean;
  /** One sentence: `NGN 2,500.00 by card goes to paystack-main, as expected.` */
  readonly message: string;
  /** Account ids the payment may go to under this rule set; empty when no account can take it. */
  readonly mayGoTo: readonly string[];
}

/**
 * Checks a merchant's expectations against the rules and the accounts alone: every account healthy, no overrides. A rule that
 * splits payments, or compares conversion, may send one to any of its eligible accounts; the expectation must allow each of them.
 */
export function checkExpectations(ruleSet: RuleSet, accounts: readonly RoutableAccount[]): readonly ExpectationResult[] {
  const compiled = compileRuleSet(ruleSet);
  const declared = keysByName(ruleSet.keys);
  const labelOf = (accountId: string) => accounts.find((account) => account.accountId === accountId)?.label ?? accountId;
  const list = (accountIds: readonly string[]) => accountIds.map(labelOf).join(' or ') || 'no account';
  return (ruleSet.expectations ?? []).map((expectation, position) => {
    const mayGoTo = possibleFirsts(compiled, expectation, accounts);
    const holds = mayGoTo.length > 0 && mayGoTo.every((accountId) => expectation.goesTo.includes(accountId));
    const outcome = holds ? 'as expected' : `and not to ${list(expectation.goesTo)}`;
    const message = `${describeExample(expectation.payment, declared)} goes to ${list(mayGoTo)}, ${outcome}.`;
    return { position, expectation, holds, message, mayGoTo };
  });
}

function possibleFirsts(
  compiled: CompiledRuleSet,
  expectation: Expectation,
  accounts: readonly RoutableAccount[],
): readonly string[] {
  const { keys, ...known } = expectation.payment;
  const compared = keys === undefined ? {} : { keys: comparedKeys(keys, compiled.ruleSet.keys ?? []) };
  const payment = { ...known, ...compared, paymentId: expectation.name, requestedGateway: null };
  const decision = decide({ payment, ruleSet: compiled, accounts, health: [], overrides: [], decidedAt: '' });
  const rule = compiled.ruleSet.rules.find((entry) => entry.ruleId === decision.ruleId);
  const rivals = rule ? rivalsUnder(rule, decision) : [];
  return rivals.length > 0 ? rivals : decision.plan.slice(0, 1).map((attempt) => attempt.accountId);
}

/** The eligible accounts among which a split or conversion decides; none where the order is fixed. */
function rivalsUnder({ then: target }: Rule, decision: Decision): string[] {
  const able = new Set(decision.plan.map((attempt) => attempt.accountId));
  switch (target.strategy) {
    case 'weighted':
      return target.split.filter(({ account, percent }) => percent > 0 && able.has(account)).map(({ account }) => account);
    case 'success_rate':
    case 'expected_value':
      return target.accounts.filter((accountId) => able.has(accountId));
    case 'priority':
    case 'lowest_cost':
      return [];
    default:
      return target satisfies never;
  }
}

import { type Clock, UTC_CLOCK } from '../clock.ts';
import { type CompiledRuleSet, compileRuleSet } from '../decide/compile.ts';
import { decideUnder } from '../decide/decide.ts';
import { CURRENT_POLICY, type Policy } from '../decide/policy.ts';
import type { Decision, DecisionInputs, RuleSet } from '../types.ts';
import { EARLIER_POLICY } from './earlier-policy.ts';

/** The policy that decides as the current one does, in other words: amounts without decimals, look-ups, accounts that are switched off. */
const POLICY_WITH_EARLIER_WORDS: Policy = { ...CURRENT_POLICY, version: 4, wording: 'earlier' };

/** The policy before it, with a percentage of however few payments in its sentences. */
const POLICY_WITH_SMALL_SHARES: Policy = { ...POLICY_WITH_EARLIER_WORDS, version: 3, percentFrom: 1 };

/** The policy before it, with internal ids in its sentences as well. */
const POLICY_WITH_IDS: Policy = { ...POLICY_WITH_SMALL_SHARES, version: 2, wording: 'ids' };

/** The policy under which a stored decision was taken. */
export function policyOf({ policy }: Pick<DecisionInputs, 'policy'>): Policy {
  switch (policy) {
    case undefined:
      return EARLIER_POLICY;
    case 2:
      return POLICY_WITH_IDS;
    case 3:
      return POLICY_WITH_SMALL_SHARES;
    case 4:
      return POLICY_WITH_EARLIER_WORDS;
    case 5:
      return CURRENT_POLICY;
    default:
      return policy satisfies never;
  }
}

/**
 * Recomputes a stored decision from its inputs and its rule-set version, under the policy of its time: the result equals what was
 * stored. With another clock the times in its sentences are those of a reader's zone, and nothing else differs; a sentence that was
 * itself stored, by an earlier version, keeps its times.
 */
export function recompute(
  { inputs, ruleSet }: { readonly inputs: DecisionInputs; readonly ruleSet: RuleSet | CompiledRuleSet },
  clock: Clock = UTC_CLOCK,
): Decision {
  const compiled = 'byCurrency' in ruleSet ? ruleSet : compileRuleSet(ruleSet);
  return decideUnder(policyOf(inputs), { ...inputs, ruleSet: compiled }, clock);
}

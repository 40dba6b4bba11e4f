import { type Clock, UTC_CLOCK } from '../clock.ts';
import { type CompiledRuleSet, compileRuleSet } from '../decide/compile.ts';
import { decide } from '../decide/decide.ts';
import type { Decision, DecisionInputs, RuleSet } from '../types.ts';

/**
 * Recomputes a stored decision from its inputs and its rule-set version: the result equals what was stored. With another clock the times in
 * its sentences are those of a reader's zone, and nothing else differs.
 */
export function recompute(
  { inputs, ruleSet }: { readonly inputs: DecisionInputs; readonly ruleSet: RuleSet | CompiledRuleSet },
  clock: Clock = UTC_CLOCK,
): Decision {
  const compiled = 'byCurrency' in ruleSet ? ruleSet : compileRuleSet(ruleSet);
  return decide({ ...inputs, ruleSet: compiled }, clock);
}

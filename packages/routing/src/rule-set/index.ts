export { parseRuleSet, RULE_SET_LIMITS, type RuleSetProblem, ruleSetSchema } from './rule-set.ts';
export { decisionInputsSchema } from './stored-inputs.ts';

export { RULE_SET_LIMITS, type RuleSetProblem, parseRuleSet, ruleSetSchema } from './rule-set.ts';
export { decisionInputsSchema } from './stored-inputs.ts';

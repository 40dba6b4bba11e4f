export { parseRuleSet, RULE_SET_LIMITS, type RuleSetProblem, ruleSetSchema } from './rule-set.ts';

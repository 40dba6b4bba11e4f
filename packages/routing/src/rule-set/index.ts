export { type ParsedRuleSet, parseRuleDocument, RULE_SET_LIMITS, type RuleSetProblem, ruleSetSchema } from './rule-set.ts';

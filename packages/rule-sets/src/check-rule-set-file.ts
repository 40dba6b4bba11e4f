export { checkRuleSetFile, type RuleSetFileCheck } from './files/check-rule-set-file.ts';

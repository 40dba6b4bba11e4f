export { type RuleSetFileCheck, checkRuleSetFile } from './files/check-rule-set-file.ts';

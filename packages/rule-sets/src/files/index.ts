export { exportAccounts, exportRules } from './export-rules.ts';
export { RULE_SET_FILE_SCHEMA_PATH, ruleSetFileJsonSchema } from './rule-set-file.ts';

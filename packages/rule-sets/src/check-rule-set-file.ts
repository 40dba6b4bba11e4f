export { type CheckLine, linesOfCheck } from './files/check-lines.ts';
export { type CheckedRuleSetFile, checkRuleSetFile } from './files/check-rule-set-file.ts';

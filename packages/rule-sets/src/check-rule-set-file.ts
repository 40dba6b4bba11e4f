export { linesOfCheck } from './files/check-lines.ts';
export { checkRuleSetFile } from './files/check-rule-set-file.ts';
export { describeCheck } from './files/describe-check.ts';

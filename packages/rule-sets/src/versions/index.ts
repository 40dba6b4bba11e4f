export { cancelSchedule } from './cancel-schedule.ts';
export { publishDraft } from './publish-draft.ts';
export { publishRules } from './publish-rules.ts';
export { publishScheduledRules } from './publish-scheduled-rules.ts';
export { rollBackRules } from './roll-back-rules.ts';
export { diffStoredRuleSets, findRuleSetVersion, listRuleSetVersions, versionActiveAt } from './rule-set-history.ts';
export type { RuleSetSource } from './rule-set-source.ts';
export { readVersionResults } from './version-results.ts';

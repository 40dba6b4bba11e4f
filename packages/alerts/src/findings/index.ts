export { describeFinding } from './describe-finding.ts';
export { readFacts } from './facts.ts';
export { type FindingScope, isVisible, keyOf } from './finding.ts';
export { INCIDENT_KINDS, KINDS, SEVERITIES, TASK_KINDS } from './kinds.ts';
export { type ListedFinding, listFindings } from './list-findings.ts';

export { ageOut } from './retention/age-out.ts';
export { changeRetention } from './retention/change-retention.ts';
export { describeRetention } from './retention/describe-retention.ts';
export { KEPT, RETENTION_KINDS } from './retention/kinds.ts';

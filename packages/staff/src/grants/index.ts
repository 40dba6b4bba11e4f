export { type GrantRoleOutcome, grantRole } from './grant-role.ts';
export { listGrants, listStaffWhoMay } from './list-grants.ts';
export { type RevokeRoleOutcome, revokeRole } from './revoke-role.ts';
export type { RuleApprover } from './rule-approver-queries.ts';
export { listActiveStaffWhoMay, listApprovers, listMerchantsWithoutSecondApprover } from './rule-approvers.ts';

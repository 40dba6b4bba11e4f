export { approveRules, rejectRules } from './decide-approval.ts';
export { requestApproval } from './request-approval.ts';
export { requireApproval } from './require-approval.ts';

export { createDraft } from './create-draft.ts';
export { discardDraft } from './discard-draft.ts';
export { isOwnWork, type RuleDraftInList } from './draft.ts';
export { listApprovalRequests, listWaiverRequests } from './list-approval-requests.ts';
export { findDraft, listDrafts } from './list-drafts.ts';
export { readRulesApproval } from './rules-approval.ts';
export { saveDraft } from './save-draft.ts';
export { validateRules } from './validate-rules.ts';

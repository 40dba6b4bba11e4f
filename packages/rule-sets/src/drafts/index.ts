export { createDraft } from './create-draft.ts';
export { discardDraft } from './discard-draft.ts';
export { listApprovalRequests, listWaiverRequests } from './list-approval-requests.ts';
export { findDraft, listDrafts, listUnpublishedDrafts } from './list-drafts.ts';
export { readRulesApproval } from './rules-approval.ts';
export { saveDraft } from './save-draft.ts';
export { validateRules } from './validate-rules.ts';

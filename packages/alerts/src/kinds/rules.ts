import { listApprovalRequests, listWaiverRequests } from '@switchyard/rule-sets/approval';
import { listUnpublishedDrafts } from '@switchyard/rule-sets/drafts';
import { listMerchantsWithoutSecondApprover } from '@switchyard/staff/grants';
import { z } from 'zod';
import { taskKind } from './kind.ts';

/** Merchants whose rules cannot be published, since no other person can approve them any more. */
export const noSecondPerson = taskKind({
  title: 'Second person missing',
  severity: 'warning',
  permission: 'routing:publish',
  facts: z.object({ of: z.literal('no_second_person') }),
  async find(context, { merchantIds }) {
    const found = await listMerchantsWithoutSecondApprover(context, merchantIds);
    return found.map((merchantId) => ({ merchantId, subject: '', since: null, facts: { of: 'no_second_person' as const } }));
  },
  describe: (_, { ended }) => ({
    title: ended ? 'Rules could not be published' : 'Rules cannot be published',
    why: ended
      ? 'They needed the approval of a second person, and no other person could approve them.'
      : 'They need the approval of a second person, and no other person can approve them any more.',
    figures: [],
    action: { path: '/routing', query: {}, label: 'View options' },
  }),
});

/** Drafts that a colleague asks the staff user to approve. */
export const approval = taskKind({
  title: 'Approval requested',
  severity: 'info',
  permission: 'routing:publish',
  /** A requester is null where the staff user was deleted. */
  facts: z.object({ of: z.literal('approval'), name: z.string().nullable(), requesterName: z.string().nullable() }),
  async find(context, query) {
    const found = await listApprovalRequests(context, query);
    return found.map(({ draftId, merchantId, name, requesterName, requestedAt }) => ({
      merchantId,
      subject: draftId,
      since: requestedAt,
      facts: { of: 'approval' as const, name, requesterName },
    }));
  },
  describe({ name, requesterName }) {
    const rules = name === null ? 'a draft of rules' : `the rules "${name}"`;
    return {
      title: `${requesterName ?? 'A colleague'} requested your approval of ${rules}`,
      why: 'They are published only after a second person approved them.',
      figures: [],
      action: { path: '/routing', query: {}, label: 'Review changes' },
    };
  },
});

/** Requests of a colleague to let one person publish rules. */
export const approvalWaiver = taskKind({
  title: 'Waiver requested',
  severity: 'info',
  permission: 'merchant:update',
  facts: z.object({ of: z.literal('approval_waiver'), requesterName: z.string().nullable() }),
  async find(context, query) {
    const found = await listWaiverRequests(context, query);
    return found.map(({ merchantId, requesterName, requestedAt }) => ({
      merchantId,
      subject: '',
      since: requestedAt,
      facts: { of: 'approval_waiver' as const, requesterName },
    }));
  },
  describe: ({ requesterName }) => ({
    title: `${requesterName ?? 'A colleague'} requested that one person can publish rules`,
    why: 'If you agree, rules are published without the approval of a second person.',
    figures: [],
    action: { path: '/routing', query: {}, label: 'Review' },
  }),
});

/** The state of a draft's approval, or that its publication was refused at the scheduled time. */
const SENTENCES = {
  none: 'The active version does not change.',
  requested: 'It waits for the approval of a second person.',
  approved: 'It was approved and can be published.',
  rejected: 'The second person declined it.',
  schedule_refused: 'It was refused at the time it was to be published.',
};

/** Drafts of rules that wait for a person to publish or continue them. */
export const draft = taskKind({
  title: 'Draft not published',
  severity: 'info',
  permission: 'routing:publish',
  facts: z.object({
    of: z.literal('draft'),
    draftId: z.string(),
    name: z.string().nullable(),
    state: z.enum(['none', 'requested', 'approved', 'rejected', 'schedule_refused']),
  }),
  async find(context, query) {
    const found = await listUnpublishedDrafts(context, query);
    return found.map(({ draftId, merchantId, name, createdAt, scheduleRefusal, approval: { state } }) => ({
      merchantId,
      subject: draftId,
      since: createdAt,
      facts: { of: 'draft' as const, draftId, name, state: scheduleRefusal === null ? state : ('schedule_refused' as const) },
    }));
  },
  describe: ({ draftId, name, state }) => ({
    title: `Draft ${name === null ? 'of rules' : `"${name}"`} is not published`,
    why: SENTENCES[state],
    figures: [],
    action: { path: `/routing/drafts/${draftId}`, query: {}, label: 'Open draft' },
  }),
});

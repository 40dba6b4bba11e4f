import { groupDigits } from '@switchyard/routing';
import { listApprovalRequests, listWaiverRequests } from '@switchyard/rule-sets/approval';
import { listCanaryEndings } from '@switchyard/rule-sets/canary';
import { listUnpublishedDrafts } from '@switchyard/rule-sets/drafts';
import { listMerchantsWithoutSecondApprover } from '@switchyard/staff/grants';
import { z } from 'zod';
import { incidentKind, taskKind } from './kind.ts';
import { count } from './words.ts';

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

/** For how long the end of a canary is shown as open. */
const SHOWN_MS = 24 * 3_600_000;

/** Versions of rules that were tried with a share of customers, and were promoted or withdrawn by themselves: a condition each. */
export const canaryEnded = incidentKind({
  title: 'Trial of rules ended',
  severity: 'warning',
  permission: 'routing:publish',
  sendsRecovery: false,
  facts: z.object({
    of: z.literal('canary'),
    ended: z.enum(['PROMOTED', 'ROLLED_BACK', 'TIME', 'REFUSED']),
    version: count,
    /** The version that the others were routed by; 0 for the order of the accounts. */
    liveVersion: count,
    percent: count,
    refusal: z.string().nullable(),
    draft: z.object({ customers: count, paid: count }),
    live: z.object({ customers: count, paid: count }),
  }),
  async find({ resources }, { merchantIds, now }) {
    const since = new Date(now.getTime() - SHOWN_MS);
    const endings = await listCanaryEndings(resources.database, { merchantIds, since });
    return endings.flatMap(({ merchantId, mode, canaryId, ended, endedAt, ...canary }) => {
      if (ended === null || endedAt === null || ended === 'STOPPED' || ended === 'REPLACED') return [];
      const { version, liveVersion, percent, refusal, draft, live } = canary;
      const facts = { of: 'canary' as const, ended, version, liveVersion, percent, refusal, draft, live };
      const severity = ended === 'PROMOTED' ? ('info' as const) : ('warning' as const);
      return [{ merchantId, mode, kind: 'canary_ended' as const, subject: canaryId, severity, since: endedAt, facts }];
    });
  },
  describe({ ended, version, liveVersion, percent, refusal, draft, live }) {
    const before = liveVersion === 0 ? 'the order of the accounts' : `version ${liveVersion}`;
    const ofDraft = `${groupDigits(draft.paid)} of ${groupDigits(draft.customers)}`;
    const ofLive = `${groupDigits(live.paid)} of ${groupDigits(live.customers)}`;
    const paid = `${ofDraft} customers paid under it, and ${ofLive} under ${before}`;
    const { title, why } = {
      PROMOTED: { title: `Version ${version} was promoted`, why: `It now routes all customers: ${paid}.` },
      ROLLED_BACK: { title: `Version ${version} was rolled back`, why: `It was worse than is tolerated: ${paid}.` },
      TIME: { title: `The trial of version ${version} ended undecided`, why: `All customers are routed by ${before}: ${paid}.` },
      REFUSED: {
        title: `Version ${version} could not be promoted`,
        why: `It earned it, and was refused. ${refusal ?? 'It could not be published.'}`,
      },
    }[ended];
    const figures = [
      { label: 'Share of customers', value: `${percent}%` },
      { label: `Paid under version ${version}`, value: ofDraft },
      { label: `Paid under ${before}`, value: ofLive },
    ];
    return { title, why, figures, action: { path: '/routing/canary', query: {}, label: 'View trial' } };
  },
});

import { groupDigits } from '@switchyard/routing';
import { listCanaryEndings } from '@switchyard/rule-sets/canary';
import { z } from 'zod';
import { incidentKind } from './kind.ts';
import { count } from './words.ts';

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

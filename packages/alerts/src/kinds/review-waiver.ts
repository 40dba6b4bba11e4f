import { listReviewWaivers } from '@switchyard/accounting/month-close';
import { z } from 'zod';
import { taskKind } from './kind.ts';

/** Requests of a colleague to let one person sign months off. */
export const reviewWaiver = taskKind({
  title: 'Waiver of reviews requested',
  severity: 'info',
  permission: 'month:close',
  facts: z.object({ of: z.literal('review_waiver'), requesterName: z.string().nullable() }),
  async find(context, query) {
    const found = await listReviewWaivers(context, query);
    return found.map(({ merchantId, requesterName, requestedAt }) => ({
      merchantId,
      subject: '',
      since: requestedAt,
      facts: { of: 'review_waiver' as const, requesterName },
    }));
  },
  describe: ({ requesterName }) => ({
    title: `${requesterName ?? 'A colleague'} requested that one person can sign off months`,
    why: 'If you agree, months are signed off without the review of a second person.',
    figures: [],
    action: { path: '/month-close', query: {}, label: 'Review', needs: 'month:close' },
  }),
});

import { listRefundControlWaivers, sumRefundsToApprove } from '@switchyard/payments/console/refund-control';
import { z } from 'zod';
import { taskKind } from './kind.ts';
import { amounts, count, earliest, figuresOf, instant, isAre, plural, sumsOf, total } from './words.ts';

/** Refunds that a colleague requested and the staff user can approve: one line per merchant, with count and sums. */
export const refundApproval = taskKind({
  title: 'Refunds to approve',
  severity: 'info',
  permission: 'refund:approve',
  facts: z.object({ of: z.literal('refund_approval'), count, amounts, oldestAt: instant }),
  async find(context, query) {
    const found = Map.groupBy(await sumRefundsToApprove(context, query), ({ merchantId }) => merchantId);
    return [...found].map(([merchantId, rows]) => {
      const since = earliest(rows);
      const sums = rows.map((row) => ({ currency: row.currency, amount: row.amount, count: row.count }));
      const facts = { of: 'refund_approval' as const, count: total(rows), amounts: sums, oldestAt: since.toISOString() };
      return { merchantId, subject: '', since, facts };
    });
  },
  describe: (facts, { clock }) => ({
    title: `${plural(facts.count, 'refund waits', 'refunds wait')} for your approval`,
    why: `${sumsOf(facts.amounts)} ${isAre(facts.count)} refunded only after a second person approved it, the oldest requested on ${clock.dateAndTimeOf(facts.oldestAt)}.`,
    figures: figuresOf(facts.amounts),
    action: { path: '/refunds', query: { tab: 'approvals', state: 'WAITING' }, label: 'Review refunds', needs: 'refund:approve' },
  }),
});

/** Requests of a colleague to let one person refund more. */
export const refundControlWaiver = taskKind({
  title: 'Looser control of refunds requested',
  severity: 'info',
  permission: 'refund:approve',
  /** Whole main units; null for never. */
  facts: z.object({
    of: z.literal('refund_control_waiver'),
    merchantId: z.string(),
    requesterName: z.string().nullable(),
    above: z.number(),
    wanted: z.number().nullable(),
  }),
  async find(context, query) {
    const found = await listRefundControlWaivers(context, query);
    return found.map(({ merchantId, requesterName, requestedAt, above, wanted }) => ({
      merchantId,
      subject: '',
      since: requestedAt,
      facts: {
        of: 'refund_control_waiver' as const,
        merchantId,
        requesterName,
        above: Number(above),
        wanted: wanted === null ? null : Number(wanted),
      },
    }));
  },
  describe({ merchantId, requesterName, above, wanted }) {
    const then = wanted === null ? 'none does' : `those above ${wanted.toLocaleString('en')} do`;
    return {
      title: `${requesterName ?? 'A colleague'} requested looser control of refunds`,
      why: `Refunds above ${above.toLocaleString('en')} need a second person. If you agree, ${then}.`,
      figures: [],
      action: { path: `/merchants/${merchantId}`, query: {}, label: 'Review', needs: 'refund:approve' },
    };
  },
});

import { DISPUTE_STATES, disputeNoun } from '@switchyard/disputes/lists';
import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { instant, limitOf, merchantIds } from './inputs.ts';

const PAGE_MAX = 50;

export const findDisputes = defineTool({
  name: 'find_disputes',
  title: 'Find disputes',
  description: 'Disputes, those due first, at most 50. People answer them on the dashboard.',
  changes: 'nothing',
  input: disputeNoun.filter.pick({ mode: true, states: true }).extend({ merchantIds, limit: limitOf(PAGE_MAX) }),
  output: z.strictObject({
    disputes: z.array(
      z.strictObject({
        disputeId: z.string(),
        merchantId: z.string(),
        paymentId: z.string().nullable(),
        state: z.enum(DISPUTE_STATES),
        amount: z.string(),
        currency: z.string(),
        fee: z.string().nullable(),
        gateway: z.string(),
        dueAt: instant.nullable(),
        openedAt: instant,
        closedAt: instant.nullable(),
      }),
    ),
  }),
  async run({ trpc }, input) {
    const { items, next } = await trpc.disputes.list(input);
    const disputes = items.map(({ disputeId, merchantId, paymentId, state, amount, currency, fee, gateway, ...item }) => ({
      disputeId,
      merchantId,
      paymentId,
      state,
      amount,
      currency,
      fee,
      gateway,
      dueAt: item.dueAt?.toISOString() ?? null,
      openedAt: item.openedAt.toISOString(),
      closedAt: item.closedAt?.toISOString() ?? null,
    }));
    const more = next === null ? '' : ' There are more: narrow the filter.';
    return { text: `${disputes.length} dispute(s).${more}`, data: { disputes } };
  },
});

import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { instant, limitOf, mode } from './inputs.ts';

const STATES = ['NEEDS_RESPONSE', 'UNDER_REVIEW', 'WON', 'LOST', 'ACCEPTED', 'EXPIRED', 'CLOSED'] as const;
const PAGE_MAX = 50;

export const findDisputes = defineTool({
  name: 'find_disputes',
  title: 'Find disputes',
  description: 'Disputes, those due first, at most 50. People answer them on the dashboard.',
  changes: 'nothing',
  input: z.strictObject({
    mode,
    merchantIds: z.array(z.uuid().toLowerCase()).max(20).default([]).describe('Empty for all merchants that you may see.'),
    states: z.array(z.enum(STATES)).max(STATES.length).default([]).describe('Empty for all.'),
    limit: limitOf(PAGE_MAX),
  }),
  output: z.strictObject({
    disputes: z.array(
      z.strictObject({
        disputeId: z.string(),
        merchantId: z.string(),
        paymentId: z.string().nullable(),
        state: z.enum(STATES),
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

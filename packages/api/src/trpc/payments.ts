import { describePayment, listPayments, summariseToday } from '@switchyard/payments';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { merchantsInQuestion, permitted, router } from './procedure.ts';

const MERCHANTS_AT_ONCE = 500;
const statuses = ['INITIATED', 'PENDING', 'SUCCESS', 'FAILED', 'REFUNDED'] as const;

const scope = z.object({
  /** Null for every merchant the caller may see. */
  merchantId: z.uuid().nullable().default(null),
  mode: z.enum(['test', 'live']),
});

const listInput = scope.extend({
  statuses: z.array(z.enum(statuses)).max(statuses.length).default([]),
  gateways: z.array(z.string().max(50)).max(50).default([]),
  search: z
    .string()
    .max(200)
    .refine((text) => !text.includes('\u0000'), 'must be plain text')
    .nullable()
    .default(null),
  underReview: z.boolean().default(false),
  from: z.date().nullable().default(null),
  to: z.date().nullable().default(null),
  cursor: z.object({ createdAt: z.date(), paymentId: z.uuid() }).nullish(),
  limit: z.int().min(1).max(200).default(50),
});

const zone = z
  .string()
  .refine((name) => Intl.supportedValuesOf('timeZone').includes(name) || name === 'UTC', 'must be a time zone');

function someMerchants(merchantIds: readonly string[]): readonly string[] {
  if (merchantIds.length <= MERCHANTS_AT_ONCE) return merchantIds;
  throw new TRPCError({
    code: 'BAD_REQUEST',
    message: `Choose a merchant: more than ${MERCHANTS_AT_ONCE} cannot be listed together.`,
  });
}

export const payments = router({
  /** A page of payments, newest first. */
  list: permitted('payment:read')
    .input(listInput)
    .query(({ ctx, input: { merchantId, cursor, ...query } }) =>
      listPayments(ctx.switchyard.payments, {
        ...query,
        merchantIds: someMerchants(merchantsInQuestion(ctx, merchantId)),
        after: cursor ?? null,
      }),
    ),
  /** What today came to so far, against the same hours a week ago. */
  today: permitted('payment:read')
    .input(scope.extend({ zone: zone.default('Africa/Lagos') }))
    .query(({ ctx, input: { merchantId, ...query } }) =>
      summariseToday(ctx.switchyard.payments, { ...query, merchantIds: someMerchants(merchantsInQuestion(ctx, merchantId)) }),
    ),
  /** One payment with everything that happened to it. */
  byId: permitted('payment:read')
    .input(z.object({ paymentId: z.string().max(100) }))
    .query(async ({ ctx, input }) => {
      const found = await describePayment(ctx.switchyard.payments, { merchantIds: ctx.merchantIds, ...input });
      if (found === null)
        throw new TRPCError({ code: 'NOT_FOUND', message: 'There is no such payment, or you have no access to it.' });
      // As text: merchants choose the names in it, and the wire format refuses some.
      return { ...found, metadata: found.metadata === null ? null : JSON.stringify(found.metadata) };
    }),
});

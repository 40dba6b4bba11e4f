import {
  addPaymentNote,
  compareHours,
  countPayments,
  describePayment,
  listNotes,
  listPaymentMessages,
  listPayments,
  type PaymentDescription,
  summariseToday,
} from '@switchyard/payments/console/payments';
import { paymentFilter } from '@switchyard/payments/lists';
import { verifyNow } from '@switchyard/payments/verify';
import { clockIn } from '@switchyard/routing';
import { readStaffNames } from '@switchyard/staff/staff-names';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import type { Switchyard } from '../process.ts';
import { paymentNote } from './entered-fields.ts';
import { sortedPageInput, timeZone } from './inputs.ts';
import { inModeOf, listedMerchants, permitted, permittedInMode, resolveMerchants, router } from './procedure.ts';

const MERCHANTS_AT_ONCE = 500;
const scope = z.object({
  /** Null for every merchant the caller may see. */
  merchantId: z.uuid().toLowerCase().nullable().default(null),
  mode: z.enum(['test', 'live']),
});

const NO_PAYMENT = 'There is no such payment, or you have no access to it.';
const onePayment = z.object({ paymentId: z.string().max(100) });
function someMerchants(merchantIds: readonly string[]): readonly string[] {
  if (merchantIds.length <= MERCHANTS_AT_ONCE) return merchantIds;
  throw new TRPCError({
    code: 'BAD_REQUEST',
    message: `Choose a merchant: more than ${MERCHANTS_AT_ONCE} cannot be listed together.`,
  });
}

/** The names of the staff users in a payment's timeline, by their ids. */
function namesIn({ resources }: Switchyard, { timeline, refunds }: PaymentDescription): Promise<ReadonlyMap<string, string>> {
  const actors = [...timeline.map(({ actor }) => actor), ...refunds.map(({ requestedBy }) => requestedBy)];
  const staffIds = actors.flatMap((actor) => (actor?.startsWith('staff:') === true ? [actor.slice('staff:'.length)] : []));
  return readStaffNames(resources.database, staffIds);
}

/** tRPC procedures of payments. */
export const payments = router({
  /** A page of payments, newest first unless another order is wanted. */
  list: permitted('payment:read')
    .input(sortedPageInput(paymentFilter, ['created', 'amount']))
    .query(({ ctx, input: { cursor, ...query } }) => {
      const merchantIds = someMerchants(listedMerchants(ctx, query.merchantIds));
      return listPayments(ctx.switchyard.payments, { ...query, merchantIds, after: cursor ?? null });
    }),
  /**
   * The numbers of payments that a filter has in each status, exact to 10,000 and beyond where roll-ups have them; null where counting
   * took too long.
   */
  counts: permitted('payment:read')
    .input(paymentFilter)
    .query(({ ctx, input }) => {
      const merchantIds = someMerchants(listedMerchants(ctx, input.merchantIds));
      return countPayments(ctx.switchyard, { ...input, merchantIds });
    }),
  /** Today's totals so far, against the same hours a week ago. */
  today: permitted('payment:read')
    .input(scope.extend({ zone: timeZone.default('Africa/Lagos') }))
    .query(({ ctx, input: { merchantId, ...query } }) =>
      summariseToday(ctx.switchyard.payments, { ...query, merchantIds: someMerchants(resolveMerchants(ctx, merchantId)) }),
    ),
  /** Today by hour, against the same day a week ago. */
  byHour: permitted('payment:read')
    .input(scope.extend({ zone: timeZone.default('Africa/Lagos') }))
    .query(({ ctx, input: { merchantId, ...query } }) =>
      compareHours(ctx.switchyard.payments, { ...query, merchantIds: someMerchants(resolveMerchants(ctx, merchantId)) }),
    ),
  /** One payment with its timeline. The sentences of its decision write times in `zone`. */
  byId: permitted('payment:read')
    .input(onePayment.extend({ zone: timeZone.default('UTC') }))
    .query(async ({ ctx, input: { paymentId, zone } }) => {
      const query = { merchantIds: ctx.merchantIds, paymentId };
      const found = await describePayment(ctx.switchyard.payments, query, clockIn(zone));
      if (found === null) throw new TRPCError({ code: 'NOT_FOUND', message: NO_PAYMENT });
      // As text: merchants choose the names in it, and the wire format rejects some.
      const metadata = found.metadata === null ? null : JSON.stringify(found.metadata);
      return { ...found, metadata, people: await namesIn(ctx.switchyard, found) };
    }),
  /** The deliveries to the merchant about one payment, and the gateway webhooks about it. */
  messages: permitted('payment:read')
    .input(onePayment)
    .query(({ ctx, input }) => listPaymentMessages(ctx.switchyard.payments, { ...input, merchantIds: ctx.merchantIds })),
  /** Staff notes on one payment, newest first. */
  notes: permitted('payment:read')
    .input(onePayment)
    .query(({ ctx, input }) => listNotes(ctx.switchyard.payments, { ...input, merchantIds: ctx.merchantIds })),
  addNote: permittedInMode('payment:verify')
    .input(onePayment.extend({ text: paymentNote }))
    .mutation(async ({ ctx, input }) => {
      const { merchantIds } = await inModeOf(ctx, 'payment', input.paymentId);
      const command = { ...input, merchantIds, actor: `staff:${ctx.session.staffId}` };
      const outcome = await addPaymentNote(ctx.switchyard.payments, command);
      if (outcome.kind === 'not_found') throw new TRPCError({ code: 'NOT_FOUND', message: NO_PAYMENT });
      return outcome;
    }),
  /** Verifies the payment at the gateway at once. */
  verify: permittedInMode('payment:verify')
    .input(onePayment)
    .mutation(async ({ ctx, input }) => {
      const { merchantIds } = await inModeOf(ctx, 'payment', input.paymentId);
      const command = { ...input, merchantIds, actor: `staff:${ctx.session.staffId}` };
      const outcome = await verifyNow(ctx.switchyard.payments, command, { add: () => undefined });
      if (outcome.kind === 'not_found') throw new TRPCError({ code: 'NOT_FOUND', message: NO_PAYMENT });
      return outcome;
    }),
});

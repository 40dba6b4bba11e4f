import {
  countDuplicateCharges,
  countRefunds,
  type DismissDuplicateOutcome,
  type DismissRefundOutcome,
  describeRefundable,
  dismissDuplicate,
  dismissRefund,
  listDuplicateCharges,
  listRefundsFor,
  listReviews,
  type RecordRefundOutcome,
  type RefundDuplicateOutcome,
  type RequestRefundOutcome,
  recordRefundOutcome,
  refundDuplicate,
  requestRefund,
  syncRefund,
} from '@switchyard/payments/refunds';
import { type ResolveReviewOutcome, resolveReview } from '@switchyard/payments/reviews';
import { z } from 'zod';
import { duplicateChargeFilter, paymentFilter, refundFilter, sortedPageInput } from '../list-filters.ts';
import { decisionNote, refundReason } from './entered-fields.ts';
import { listedMerchants, permitted, router, type TrpcContext } from './procedure.ts';
import { foundOrThrow, oneMerchant } from './rules-input.ts';

const NO_REFUND = 'There is no such refund, or you have no access to it.';
const NO_PAYMENT = 'There is no such payment, or you have no access to it.';
const NO_CHARGE = 'There is no such duplicate charge, or you have no access to it.';
const AMOUNT_MAX = 1_000_000_000_000n;
/** A list's input in the shape of its use case. */
function toQuery<Cursor, Input extends { readonly merchantIds: readonly string[] }>(
  ctx: { readonly merchantIds: readonly string[] },
  { cursor, ...query }: Input & { readonly cursor?: Cursor | null | undefined },
) {
  return { ...query, merchantIds: listedMerchants(ctx, query.merchantIds), after: cursor ?? null };
}

/** The staff user who requests a refund or a decision. */
function author({ session }: { readonly session: NonNullable<TrpcContext['session']> }) {
  return { actor: `staff:${session.staffId}`, cause: 'staff' } as const;
}

const reading = permitted('payment:read');
const refunding = permitted('payment:refund');
const reviewing = permitted('payment:review');

const duplicates = router({
  /** A page of duplicate charges, newest first. */
  list: reading
    .input(sortedPageInput(duplicateChargeFilter, ['created']))
    .query(({ ctx, input }) => listDuplicateCharges(ctx.switchyard.payments, toQuery(ctx, input))),
  /** The numbers of duplicate charges that a filter has in each state, exact to 10,000; null where counting took too long. */
  counts: reading.input(duplicateChargeFilter).query(({ ctx, input }) => {
    const merchantIds = listedMerchants(ctx, input.merchantIds);
    return countDuplicateCharges(ctx.switchyard.payments, { ...input, merchantIds });
  }),
  /** Refunds a duplicate charge in full. */
  refund: refunding
    .input(z.object({ merchantId: z.uuid(), duplicateChargeId: z.uuid() }))
    .mutation(async ({ ctx, input }): Promise<Exclude<RefundDuplicateOutcome, { kind: 'not_found' }>> => {
      const key = { ...input, merchantId: oneMerchant(ctx, input.merchantId) };
      return found(await refundDuplicate(ctx.switchyard.payments, key, author(ctx)), NO_CHARGE);
    }),
  /** Dismisses a duplicate charge that needs no refund from us, with a reason. */
  dismiss: reviewing
    .input(z.object({ merchantId: z.uuid(), duplicateChargeId: z.uuid(), note: decisionNote }))
    .mutation(async ({ ctx, input }): Promise<Exclude<DismissDuplicateOutcome, { kind: 'not_found' }>> => {
      const dismissal = { ...input, merchantId: oneMerchant(ctx, input.merchantId) };
      return found(await dismissDuplicate(ctx.switchyard.payments, dismissal, author(ctx)), NO_CHARGE);
    }),
});

const oneReview = z.object({ merchantId: z.uuid(), paymentId: z.uuid(), note: decisionNote });
type ReviewOutcome = Exclude<ResolveReviewOutcome, { kind: 'not_found' }>;

const reviews = router({
  /** A page of payments under review, newest first. */
  list: reading
    .input(sortedPageInput(paymentFilter, ['created']))
    .query(({ ctx, input }) => listReviews(ctx.switchyard.payments, toQuery(ctx, input))),
  /** Refunds what one attempt received, and closes the review once no mismatched money is left. */
  refund: refunding
    .input(z.object({ ...oneReview.shape, attemptId: z.uuid(), amount: z.bigint() }))
    .mutation(async ({ ctx, input }): Promise<ReviewOutcome> => {
      const resolution = { ...input, merchantId: oneMerchant(ctx, input.merchantId), by: 'refund' } as const;
      return found(await resolveReview(ctx.switchyard.payments, resolution, author(ctx)), NO_PAYMENT);
    }),
  /** Closes a review without returning the money of these attempts. It never makes the payment a success. */
  close: reviewing
    .input(z.object({ ...oneReview.shape, attemptIds: z.array(z.uuid()).max(100) }))
    .mutation(async ({ ctx, input }): Promise<ReviewOutcome> => {
      const resolution = { ...input, merchantId: oneMerchant(ctx, input.merchantId), by: 'close' } as const;
      return found(await resolveReview(ctx.switchyard.payments, resolution, author(ctx)), NO_PAYMENT);
    }),
});

/** tRPC procedures of refunds and duplicate charges. */
export const refunds = router({
  /** A page of refunds, newest first. */
  list: reading
    .input(sortedPageInput(refundFilter, ['created', 'amount']))
    .query(({ ctx, input }) => listRefundsFor(ctx.switchyard.payments, toQuery(ctx, input))),
  /** The numbers of refunds that a filter has in each state, exact to 10,000; null where counting took too long. */
  counts: reading.input(refundFilter).query(({ ctx, input }) => {
    const merchantIds = listedMerchants(ctx, input.merchantIds);
    return countRefunds(ctx.switchyard.payments, { ...input, merchantIds });
  }),
  /** The refundable amount of a payment. */
  refundable: reading
    .input(z.object({ paymentId: z.string().max(100) }))
    .query(async ({ ctx, input }) =>
      foundOrThrow(await describeRefundable(ctx.switchyard.payments, { ...input, merchantIds: ctx.merchantIds }), NO_PAYMENT),
    ),
  /** Refunds a payment. The caller chooses the id: a click that is sent twice makes one refund. */
  request: refunding
    .input(
      z.object({
        merchantId: z.uuid(),
        paymentId: z.uuid(),
        refundId: z.uuid(),
        /** Null for the whole remaining amount. */
        amount: z.bigint().min(1n).max(AMOUNT_MAX).nullable(),
        reason: z.nullable(refundReason),
      }),
    )
    .mutation(async ({ ctx, input }): Promise<Exclude<RequestRefundOutcome, { kind: 'not_found' }>> => {
      const reason = input.reason === '' ? null : input.reason;
      const request = { ...input, reason, mode: null, merchantId: oneMerchant(ctx, input.merchantId), ...author(ctx) };
      return found(await requestRefund(ctx.switchyard.payments, request), NO_PAYMENT);
    }),
  /** Syncs a refund with its gateway now. */
  look: refunding
    .input(z.object({ refundId: z.uuid() }))
    .mutation(async ({ ctx, input }) =>
      foundOrThrow(await syncRefund(ctx.switchyard.payments, { ...input, merchantIds: ctx.merchantIds }), NO_REFUND),
    ),
  /** Dismisses a failed refund that needs no other, with a reason. */
  dismiss: reviewing
    .input(z.object({ merchantId: z.uuid(), refundId: z.uuid(), note: decisionNote }))
    .mutation(async ({ ctx, input }): Promise<Exclude<DismissRefundOutcome, { kind: 'not_found' }>> => {
      const dismissal = { ...input, merchantId: oneMerchant(ctx, input.merchantId) };
      return found(await dismissRefund(ctx.switchyard.payments, dismissal, author(ctx)), NO_REFUND);
    }),
  /** Ends a refund that needs attention as the gateway's own dashboard shows it. */
  record: reviewing
    .input(z.object({ merchantId: z.uuid(), refundId: z.uuid(), state: z.enum(['SUCCEEDED', 'FAILED']), note: decisionNote }))
    .mutation(async ({ ctx, input }): Promise<Exclude<RecordRefundOutcome, { kind: 'not_found' }>> => {
      const observation = { ...input, merchantId: oneMerchant(ctx, input.merchantId) };
      return found(await recordRefundOutcome(ctx.switchyard.payments, observation, author(ctx)), NO_REFUND);
    }),
  duplicates,
  reviews,
});

function found<Outcome extends { readonly kind: string }>(
  outcome: Outcome,
  message: string,
): Exclude<Outcome, { readonly kind: 'not_found' }> {
  return foundOrThrow(isFound(outcome) ? outcome : null, message);
}

function isFound<Outcome extends { readonly kind: string }>(
  outcome: Outcome,
): outcome is Exclude<Outcome, { readonly kind: 'not_found' }> {
  return outcome.kind !== 'not_found';
}

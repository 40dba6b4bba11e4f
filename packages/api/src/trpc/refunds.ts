import type { Mode } from '@switchyard/db/client';
import type { PaymentObject } from '@switchyard/payments/console/payments';
import {
  type AnswerWaiverOutcome,
  type ApproveRefundOutcome,
  answerControlWaiver,
  approveRefund,
  type BulkPreview,
  type ChangeControlOutcome,
  changeRefundControl,
  declineRefund,
  describeControlFor,
  type EndApprovalOutcome,
  type HeldRefund,
  holdFor,
  listApprovals,
  listRefundControlWaivers,
  previewBulk,
  type RefundBulkOutcome,
  readRefundControl,
  refundBulk,
  requestRefundAsPerson,
  type UnreadableFile,
  withdrawRefund,
} from '@switchyard/payments/console/refund-control';
import { approvalNoun, duplicateChargeNoun, paymentFilter, refundNoun } from '@switchyard/payments/lists';
import {
  countDuplicateCharges,
  countRefunds,
  describeRefundable,
  listDuplicateCharges,
  listRefundsFor,
  listReviews,
} from '@switchyard/payments/refund-lists';
import {
  type DismissDuplicateOutcome,
  type DismissRefundOutcome,
  dismissDuplicate,
  dismissRefund,
  type RecordRefundOutcome,
  type RefundDuplicateOutcome,
  type RequestRefundOutcome,
  recordRefundOutcome,
  refundDuplicate,
  syncRefund,
} from '@switchyard/payments/refunds';
import { type ResolveReviewOutcome, resolveReview } from '@switchyard/payments/reviews';
import { listActiveStaffWhoMay } from '@switchyard/staff/grants';
import { may, roleKeyOf, rolesFor } from '@switchyard/staff/permissions';
import { readStaffNames } from '@switchyard/staff/staff-names';
import { z } from 'zod';
import { decisionNote, enteredText, reasonCodeSchema, refundControlSettings, refundReason } from './entered-fields.ts';
import { foundOrThrow, oneMerchant, sortedPageInput } from './inputs.ts';
import {
  inMode,
  inModeOf,
  listedMerchants,
  type ModesContext,
  permitted,
  permittedInMode,
  router,
  type TrpcContext,
} from './procedure.ts';

const NO_REFUND = 'There is no such refund, or you have no access to it.';
const NO_PAYMENT = 'There is no such payment, or you have no access to it.';
const NO_MERCHANT = 'There is no such merchant, or you have no access to it.';
const NO_CHARGE = 'There is no such duplicate charge, or you have no access to it.';
/** Characters: a thousand lines with their reasons. */
const BULK_FILE_MAX = 400_000;
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

/** The same with the roles by which they may refund at a merchant, in a mode or in both. */
function refundingPerson(
  ctx: { readonly session: NonNullable<TrpcContext['session']> },
  { merchantId, mode }: { readonly merchantId: string; readonly mode: Mode | null },
) {
  const roles = rolesFor(ctx.session, merchantId).filter((role) => may(role, 'payment:refund', mode ?? undefined));
  return { ...author(ctx), roles: roles.map(roleKeyOf) };
}

/** The merchant that a call names, where the caller has the permission in the mode of what the call is about. */
async function merchantOf(ctx: ModesContext, ...about: [kind: PaymentObject['kind'], id: string, merchantId: string]) {
  return oneMerchant(await inModeOf(ctx, ...about), about[2]);
}

const staffIdOf = (actor: string) => actor.replace(/^staff:/, '');

const reading = permitted('payment:read');
const refunding = permittedInMode('payment:refund');
const reviewing = permittedInMode('payment:review');
const approving = permitted('refund:approve');

const duplicates = router({
  /** A page of duplicate charges, newest first. */
  list: reading
    .input(sortedPageInput(duplicateChargeNoun.filter, ['created']))
    .query(({ ctx, input }) => listDuplicateCharges(ctx.switchyard.payments, toQuery(ctx, input))),
  /** The numbers of duplicate charges that a filter has in each state, exact to 10,000; null where counting took too long. */
  counts: reading.input(duplicateChargeNoun.filter).query(({ ctx, input }) => {
    const merchantIds = listedMerchants(ctx, input.merchantIds);
    return countDuplicateCharges(ctx.switchyard.payments, { ...input, merchantIds });
  }),
  /** Refunds a duplicate charge in full. */
  refund: refunding
    .input(z.object({ merchantId: z.uuid().toLowerCase(), duplicateChargeId: z.uuid().toLowerCase() }))
    .mutation(async ({ ctx, input }): Promise<Exclude<RefundDuplicateOutcome, { kind: 'not_found' }> | HeldRefund> => {
      const at = await inModeOf(ctx, 'duplicate_charge', input.duplicateChargeId, input.merchantId);
      const key = { ...input, merchantId: oneMerchant(at, input.merchantId) };
      const { payments } = ctx.switchyard;
      const person = refundingPerson(ctx, { ...at, ...key });
      return found(await refundDuplicate(payments, key, person, holdFor(payments, person, key.duplicateChargeId)), NO_CHARGE);
    }),
  /** Dismisses a duplicate charge that needs no refund from us, with a reason. */
  dismiss: reviewing
    .input(z.object({ merchantId: z.uuid().toLowerCase(), duplicateChargeId: z.uuid().toLowerCase(), note: decisionNote }))
    .mutation(async ({ ctx, input }): Promise<Exclude<DismissDuplicateOutcome, { kind: 'not_found' }>> => {
      const dismissal = {
        ...input,
        merchantId: await merchantOf(ctx, 'duplicate_charge', input.duplicateChargeId, input.merchantId),
      };
      return found(await dismissDuplicate(ctx.switchyard.payments, dismissal, author(ctx)), NO_CHARGE);
    }),
});

const oneApproval = z.object({ merchantId: z.uuid().toLowerCase(), approvalId: z.uuid().toLowerCase() });
const oneReview = z.object({ merchantId: z.uuid().toLowerCase(), paymentId: z.uuid().toLowerCase(), note: decisionNote });
type ReviewOutcome = Exclude<ResolveReviewOutcome, { kind: 'not_found' }>;

const reviews = router({
  /** A page of payments under review, newest first. */
  list: reading
    .input(sortedPageInput(paymentFilter.omit({ underReview: true }), ['created']))
    .query(({ ctx, input }) => listReviews(ctx.switchyard.payments, toQuery(ctx, { ...input, underReview: true }))),
  /** Refunds what one attempt received, and closes the review once no mismatched money is left. */
  refund: refunding
    .input(z.object({ ...oneReview.shape, attemptId: z.uuid().toLowerCase(), amount: z.bigint() }))
    .mutation(async ({ ctx, input }): Promise<ReviewOutcome | HeldRefund> => {
      const at = await inModeOf(ctx, 'payment', input.paymentId, input.merchantId);
      const resolution = { ...input, merchantId: oneMerchant(at, input.merchantId), by: 'refund' } as const;
      const { payments } = ctx.switchyard;
      const person = refundingPerson(ctx, { ...at, ...resolution });
      return found(await resolveReview(payments, resolution, person, holdFor(payments, person)), NO_PAYMENT);
    }),
  /** Closes a review without returning the money of these attempts. It never makes the payment a success. */
  close: reviewing
    .input(z.object({ ...oneReview.shape, attemptIds: z.array(z.uuid().toLowerCase()).max(100) }))
    .mutation(async ({ ctx, input }): Promise<ReviewOutcome> => {
      const merchantId = await merchantOf(ctx, 'payment', input.paymentId, input.merchantId);
      const resolution = { ...input, merchantId, by: 'close' } as const;
      const outcome: ResolveReviewOutcome = await resolveReview(ctx.switchyard.payments, resolution, author(ctx));
      return found(outcome, NO_PAYMENT);
    }),
});

const approvals = router({
  /** A page of refunds that need a second person, newest first. */
  list: reading.input(sortedPageInput(approvalNoun.filter, ['created', 'amount'])).query(async ({ ctx, input }) => {
    const page = await listApprovals(ctx.switchyard.payments, toQuery(ctx, input));
    const actors = page.items.flatMap(({ requestedBy, decidedBy }) => [requestedBy, decidedBy ?? requestedBy]);
    const names = await readStaffNames(ctx.switchyard.resources.database, [...new Set(actors.map(staffIdOf))]);
    const nameOf = (actor: string | null) => (actor === null ? null : (names.get(staffIdOf(actor)) ?? null));
    const items = page.items.map((item) => ({
      ...item,
      requesterName: nameOf(item.requestedBy),
      deciderName: nameOf(item.decidedBy),
      /** True if the caller requested it, and so cannot approve it. */
      isOwn: item.requestedBy === author(ctx).actor,
    }));
    return { ...page, items };
  }),
  /** Approves a refund as a second person: it is requested at once. */
  approve: approving
    .input(oneApproval)
    .mutation(async ({ ctx, input }): Promise<Exclude<ApproveRefundOutcome, { kind: 'not_found' }>> => {
      const key = { ...input, merchantId: oneMerchant(ctx, input.merchantId) };
      return found(await approveRefund(ctx.switchyard.payments, key, author(ctx)), NO_REFUND);
    }),
  /** Declines a refund as a second person. */
  decline: approving
    .input(oneApproval.extend({ note: z.nullable(enteredText(500)) }))
    .mutation(async ({ ctx, input }): Promise<Exclude<EndApprovalOutcome, { kind: 'not_found' }>> => {
      const note = input.note === '' ? null : input.note;
      const key = { ...input, note, merchantId: oneMerchant(ctx, input.merchantId) };
      return found(await declineRefund(ctx.switchyard.payments, key, author(ctx)), NO_REFUND);
    }),
  /** Withdraws one's own refund that still waits. */
  withdraw: refunding
    .input(oneApproval)
    .mutation(async ({ ctx, input }): Promise<Exclude<EndApprovalOutcome, { kind: 'not_found' }>> => {
      const key = { ...input, merchantId: await merchantOf(ctx, 'refund_approval', input.approvalId, input.merchantId) };
      return found(await withdrawRefund(ctx.switchyard.payments, key, author(ctx)), NO_REFUND);
    }),
});

const bulkFile = z.object({
  merchantId: z.uuid().toLowerCase(),
  mode: z.enum(['test', 'live']),
  file: z.string().max(BULK_FILE_MAX),
});

const bulk = router({
  /** Says what would become of each line of a file of refunds. Changes nothing; a mutation because files do not fit into addresses. */
  preview: refunding.input(bulkFile).mutation(({ ctx, input }): Promise<BulkPreview | UnreadableFile> => {
    const merchantId = oneMerchant(inMode(ctx, input.mode), input.merchantId);
    return previewBulk(ctx.switchyard.payments, { ...input, merchantId }, refundingPerson(ctx, { ...input, merchantId }));
  }),
  /** Refunds a file exactly as the preview of this hash said, or does nothing. */
  refund: refunding
    .input(bulkFile.extend({ hash: z.string().max(100) }))
    .mutation(({ ctx, input }): Promise<RefundBulkOutcome> => {
      const merchantId = oneMerchant(inMode(ctx, input.mode), input.merchantId);
      return refundBulk(ctx.switchyard.payments, { ...input, merchantId }, refundingPerson(ctx, { ...input, merchantId }));
    }),
});

const control = router({
  /** The control that a merchant keeps over refunds that people request. */
  read: reading.input(z.object({ merchantId: z.uuid().toLowerCase() })).query(async ({ ctx, input }) => {
    const merchantId = oneMerchant(ctx, input.merchantId);
    const { prisma } = ctx.switchyard.resources.database;
    const [kept, people, [waiver]] = await Promise.all([
      readRefundControl(ctx.switchyard.payments, merchantId),
      listActiveStaffWhoMay(prisma, merchantId, 'refund:approve'),
      listRefundControlWaivers(ctx.switchyard.payments, { merchantIds: [merchantId] }),
    ]);
    /** Names of those who may approve refunds there: a second person is one of them. */
    return { ...kept, refunders: people.map(({ name }) => name), waiver: waiver ?? null };
  }),
  /** Changes some of it, for refunds requested from then on. */
  change: permitted('refund:configure')
    .input(
      z.object({
        merchantId: z.uuid().toLowerCase(),
        changes: z.object({
          secondPersonAbove: z.exactOptional(refundControlSettings.secondPersonAbove),
          dailyLimits: z.exactOptional(refundControlSettings.dailyLimits),
          reasonCodes: z.exactOptional(refundControlSettings.reasonCodes),
        }),
      }),
    )
    .mutation(async ({ ctx, input }): Promise<Exclude<ChangeControlOutcome, { kind: 'not_found' }>> => {
      const command = { ...input, merchantId: oneMerchant(ctx, input.merchantId), actor: author(ctx).actor };
      return found(await changeRefundControl(ctx.switchyard.payments, command), NO_MERCHANT);
    }),
  /** Agrees to a request to need a second person for larger refunds alone, declines it, or withdraws it. */
  answerWaiver: approving
    .input(z.object({ merchantId: z.uuid().toLowerCase(), agree: z.boolean(), wanted: refundControlSettings.secondPersonAbove }))
    .mutation(async ({ ctx, input }): Promise<Exclude<AnswerWaiverOutcome, { kind: 'not_found' }>> => {
      const command = { ...input, merchantId: oneMerchant(ctx, input.merchantId), actor: author(ctx).actor };
      return found(await answerControlWaiver(ctx.switchyard.payments, command), NO_MERCHANT);
    }),
});

/** tRPC procedures of refunds and duplicate charges. */
export const refunds = router({
  /** A page of refunds, newest first. */
  list: reading
    .input(sortedPageInput(refundNoun.filter, ['created', 'amount']))
    .query(({ ctx, input }) => listRefundsFor(ctx.switchyard.payments, toQuery(ctx, input))),
  /** The numbers of refunds that a filter has in each state, exact to 10,000; null where counting took too long. */
  counts: reading.input(refundNoun.filter).query(({ ctx, input }) => {
    const merchantIds = listedMerchants(ctx, input.merchantIds);
    return countRefunds(ctx.switchyard.payments, { ...input, merchantIds });
  }),
  /** The refundable amount of a payment, and what the merchant's control lets the caller refund. */
  refundable: reading.input(z.object({ paymentId: z.string().max(100) })).query(async ({ ctx, input }) => {
    const { payments } = ctx.switchyard;
    const query = { ...input, merchantIds: ctx.merchantIds };
    const refundable = foundOrThrow(await describeRefundable(payments, query), NO_PAYMENT);
    const person = refundingPerson(ctx, refundable);
    return { ...refundable, control: await describeControlFor(payments, refundable, person) };
  }),
  /** Refunds a payment. The caller chooses the id: a click that is sent twice makes one refund. */
  request: refunding
    .input(
      z.object({
        merchantId: z.uuid().toLowerCase(),
        paymentId: z.uuid().toLowerCase(),
        refundId: z.uuid().toLowerCase(),
        /** A full refund too is asked for by the amount that the person was shown. */
        amount: z.bigint().min(1n).max(AMOUNT_MAX),
        reason: z.nullable(refundReason),
        reasonCode: z.nullable(reasonCodeSchema).default(null),
      }),
    )
    .mutation(async ({ ctx, input }): Promise<Exclude<RequestRefundOutcome, { kind: 'not_found' }> | HeldRefund> => {
      const reason = input.reason === '' ? null : input.reason;
      const at = await inModeOf(ctx, 'payment', input.paymentId, input.merchantId);
      const request = { ...input, reason, mode: null, merchantId: oneMerchant(at, input.merchantId) };
      const person = refundingPerson(ctx, { ...at, ...request, mode: at.mode });
      return found(await requestRefundAsPerson(ctx.switchyard.payments, request, person), NO_PAYMENT);
    }),
  /** Syncs a refund with its gateway now. */
  look: refunding.input(z.object({ refundId: z.uuid().toLowerCase() })).mutation(async ({ ctx, input }) => {
    const { merchantIds } = await inModeOf(ctx, 'refund', input.refundId);
    return foundOrThrow(await syncRefund(ctx.switchyard.payments, { ...input, merchantIds }), NO_REFUND);
  }),
  /** Dismisses a failed refund that needs no other, with a reason. */
  dismiss: reviewing
    .input(z.object({ merchantId: z.uuid().toLowerCase(), refundId: z.uuid().toLowerCase(), note: decisionNote }))
    .mutation(async ({ ctx, input }): Promise<Exclude<DismissRefundOutcome, { kind: 'not_found' }>> => {
      const dismissal = { ...input, merchantId: await merchantOf(ctx, 'refund', input.refundId, input.merchantId) };
      return found(await dismissRefund(ctx.switchyard.payments, dismissal, author(ctx)), NO_REFUND);
    }),
  /** Ends a refund that needs attention as the gateway's own dashboard shows it, or has one sent that was held back. */
  record: reviewing
    .input(
      z.object({
        merchantId: z.uuid().toLowerCase(),
        refundId: z.uuid().toLowerCase(),
        state: z.enum(['SUCCEEDED', 'FAILED', 'REQUESTED']),
        note: decisionNote,
      }),
    )
    .mutation(async ({ ctx, input }): Promise<Exclude<RecordRefundOutcome, { kind: 'not_found' }>> => {
      const observation = { ...input, merchantId: await merchantOf(ctx, 'refund', input.refundId, input.merchantId) };
      return found(await recordRefundOutcome(ctx.switchyard.payments, observation, author(ctx)), NO_REFUND);
    }),
  approvals,
  bulk,
  control,
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

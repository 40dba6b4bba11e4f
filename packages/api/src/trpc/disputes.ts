import { momentValue } from '@switchyard/db/moments';
import {
  addEvidence,
  answerDispute,
  countDisputes,
  findDispute,
  listDisputeSources,
  listDisputes,
  openDispute,
  readEvidenceContent,
  recordDispute,
  settleResponse,
} from '@switchyard/disputes/console';
import { DISPUTE_STATES, disputeNoun } from '@switchyard/disputes/lists';
import { readStaffNames } from '@switchyard/staff/staff-names';
import { z } from 'zod';
import { authorOf } from './discrepancy-changes.ts';
import { disputedAmount, disputeFact, disputeMessage } from './entered-fields.ts';
import { foundOrThrow, pageInputAfter } from './inputs.ts';
import { listedMerchants, permitted, router } from './procedure.ts';

const NO_DISPUTE = 'There is no such dispute, or you have no access to it.';
/** Characters of a file in base64: five megabytes. */
const CONTENT_MAX = 7_000_000;

const inbox = disputeNoun.filter.omit({ createdFrom: true, createdTo: true });
const oneDispute = z.object({ merchantId: z.uuid().toLowerCase(), disputeId: z.uuid().toLowerCase() });
const fact = z.nullable(disputeFact);
const reading = permitted('payment:read');
const answering = permitted('reconciliation:resolve');

/** tRPC procedures of disputes. */
export const disputes = router({
  /** A page of disputes, those that are due first. */
  list: reading
    .input(pageInputAfter(inbox, z.object({ dueAt: momentValue.nullable(), disputeId: z.uuid().toLowerCase() })))
    .query(({ ctx, input: { cursor, ...query } }) => {
      const merchantIds = listedMerchants(ctx, query.merchantIds);
      return listDisputes(ctx.switchyard.payments, { ...query, merchantIds, after: cursor ?? null });
    }),
  /** The disputes of each state and currency, counted and added up. */
  counts: reading.input(inbox.omit({ states: true })).query(({ ctx, input }) => {
    return countDisputes(ctx.switchyard.payments, { ...input, merchantIds: listedMerchants(ctx, input.merchantIds) });
  }),
  /** The accounts with how their disputes come, and when they were last read. */
  accounts: reading.input(inbox.pick({ merchantIds: true, mode: true })).query(({ ctx, input: { merchantIds, mode } }) => {
    return listDisputeSources(ctx.switchyard.payments, { merchantIds: listedMerchants(ctx, merchantIds), mode });
  }),
  /** One dispute with its payment, history, evidence and answers, and the names of those who acted. */
  byId: reading.input(z.object({ disputeId: z.uuid().toLowerCase() })).query(async ({ ctx, input }) => {
    const found = foundOrThrow(
      await findDispute(ctx.switchyard.payments, { merchantIds: ctx.merchantIds, ...input }),
      NO_DISPUTE,
    );
    const staffIds = found.history.flatMap(({ actor }) => (actor?.startsWith('staff:') ? [actor.slice('staff:'.length)] : []));
    const people = await readStaffNames(ctx.switchyard.resources.database, [...new Set(staffIds)]);
    return { ...found, people };
  }),
  /** The content of a file of a dispute, in base64. */
  evidence: reading.input(z.object({ evidenceId: z.uuid().toLowerCase() })).query(async ({ ctx, input }) => {
    const found = await readEvidenceContent(ctx.switchyard.payments, { merchantIds: ctx.merchantIds, ...input });
    const { fileName, mediaType, content } = foundOrThrow(found, 'There is no such file, or you have no access to it.');
    return { fileName, mediaType, content: Buffer.from(content).toString('base64') };
  }),
  /** Keeps a PDF, PNG or JPEG file with an open dispute. */
  addEvidence: answering
    .input(oneDispute.extend({ fileName: z.string().max(300), content: z.base64().max(CONTENT_MAX) }))
    .mutation(async ({ ctx, input: { content, ...input } }) => {
      const file = { ...input, content: new Uint8Array(Buffer.from(content, 'base64')), ...authorOf(ctx, input) };
      return found(await addEvidence(ctx.switchyard.payments, file));
    }),
  /** Answers a dispute: by a call that cannot be taken back, or as it was answered at the gateway. */
  answer: answering
    .input(
      oneDispute.extend({
        action: z.enum(['ACCEPT', 'CONTEST']),
        amount: z.nullable(disputedAmount),
        message: disputeMessage,
        customerName: fact,
        service: fact,
        evidenceId: z.uuid().toLowerCase().nullable(),
        send: z.boolean(),
        /** The dispute as the person saw it when they confirmed. */
        seen: z.object({ amount: z.string().max(40), stage: z.string().max(40).nullable() }),
      }),
    )
    .mutation(async ({ ctx, input }) => {
      return found(await answerDispute(ctx.switchyard.payments, { ...input, ...authorOf(ctx, input) }));
    }),
  /** Records what became of an answer whose outcome is not known, as it was seen at the gateway. */
  settleResponse: answering
    .input(oneDispute.extend({ responseId: z.uuid().toLowerCase(), arrived: z.boolean() }))
    .mutation(async ({ ctx, input }) => {
      return found(await settleResponse(ctx.switchyard.payments, { ...input, ...authorOf(ctx, input) }));
    }),
  /** Opens a dispute by hand, where its gateway has no list of them. */
  open: answering
    .input(
      z.object({
        merchantId: z.uuid().toLowerCase(),
        paymentId: z.uuid().toLowerCase(),
        gatewayDisputeId: disputeFact,
        amount: z.nullable(disputedAmount),
        category: fact,
        fee: z.nullable(disputedAmount),
        openedAt: momentValue,
        dueAt: momentValue.nullable(),
      }),
    )
    .mutation(async ({ ctx, input }) => {
      const outcome = await openDispute(ctx.switchyard.payments, { ...input, ...authorOf(ctx, input) });
      return found(outcome, 'There is no such payment, or you have no access to it.');
    }),
  /** Records what became of a dispute that was opened by hand, and what the gateway charged for any. */
  record: answering
    .input(oneDispute.extend({ state: z.enum(DISPUTE_STATES).nullable(), fee: z.nullable(disputedAmount) }))
    .mutation(async ({ ctx, input }) => {
      return found(await recordDispute(ctx.switchyard.payments, { ...input, ...authorOf(ctx, input) }));
    }),
});

/** The outcome, unless nothing was found: throws NOT_FOUND then. */
function found<Outcome extends { readonly kind: string }>(
  outcome: Outcome,
  message = NO_DISPUTE,
): Exclude<Outcome, { kind: 'not_found' }> {
  const isFound = (one: Outcome): one is Exclude<Outcome, { kind: 'not_found' }> => one.kind !== 'not_found';
  return foundOrThrow(isFound(outcome) ? outcome : null, message);
}

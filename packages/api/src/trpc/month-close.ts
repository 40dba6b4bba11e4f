import {
  closeMonth,
  listClosedMonths,
  listMonths,
  makeLateJournal,
  makeLateJournalFiles,
  readFrozen,
  readMonth,
  readReviewRule,
  requireReview,
  reviewMonth,
  type SignOffOutcome,
  signMonth,
  writeCsv,
} from '@switchyard/accounting/month-close';
import { settlementNoun } from '@switchyard/settlements/nouns';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { actorOf, changed } from './discrepancy-changes.ts';
import { reviewNote, SOFTWARE } from './entered-fields.ts';
import { foundOrThrow, missing, oneMerchant, scope } from './inputs.ts';
import { listedMerchants, permitted, router } from './procedure.ts';

const reading = permitted('report:read');
const closing = permitted('month:close');
const NO_MONTH = 'This month is not closed, or you have no access to it.';

const oneMonth = scope.extend({ month: z.string().regex(/^20\d{2}-(0[1-9]|1[0-2])$/, 'must be a month such as 2026-10') });
/** A month as the caller saw it. */
const seenMonth = oneMonth.extend({ hash: z.string().regex(/^[0-9a-f]{64}$/) });

function signedOff(outcome: SignOffOutcome) {
  return changed(outcome, NO_MONTH);
}

/** tRPC procedures of closed months. */
export const monthClose = router({
  /** The months of each merchant with their state, the newest first. */
  list: reading
    .input(settlementNoun.filter.pick({ merchantIds: true, mode: true }))
    .query(({ ctx, input: { merchantIds, mode } }) => {
      return listMonths(ctx.switchyard, { merchantIds: listedMerchants(ctx, merchantIds), mode });
    }),
  /** One month: frozen with what has changed since, or as it is now. */
  read: reading.input(oneMonth).query(async ({ ctx, input }) => {
    const { configuration, database } = ctx.switchyard.resources;
    const reader = { configuration, database, staff: database, now: ctx.switchyard.now };
    const found = await readMonth(reader, { ...input, merchantId: oneMerchant(ctx, input.merchantId) });
    return foundOrThrow(found, NO_MONTH);
  }),
  /** The closed months that have days of a period: what is read of these days from the ledger can differ from what was frozen. */
  closedIn: reading
    .input(settlementNoun.filter.pick({ merchantIds: true, mode: true }).extend({ from: z.iso.date(), to: z.iso.date() }))
    .query(({ ctx, input }) => {
      const merchantIds = listedMerchants(ctx, input.merchantIds);
      return listClosedMonths(ctx.switchyard.resources.database, { ...input, merchantIds });
    }),
  /** Freezes the figures of a month that has ended. */
  close: closing.input(oneMonth).mutation(async ({ ctx, input }) => {
    const outcome = await closeMonth(ctx.switchyard, { ...input, merchantId: oneMerchant(ctx, input.merchantId) }, actorOf(ctx));
    switch (outcome.kind) {
      case 'closed':
        return { hash: outcome.hash };
      case 'not_found':
        return missing(NO_MONTH);
      case 'refused':
        throw new TRPCError({ code: 'BAD_REQUEST', message: outcome.why });
      default:
        return outcome satisfies never;
    }
  }),
  /** The rule that months need another person's review before they are signed off, and who can give it. */
  reviewRule: reading.input(scope).query(({ ctx, input: { merchantId, mode } }) => {
    return readReviewRule(ctx.switchyard, { merchantId: oneMerchant(ctx, merchantId), mode });
  }),
  /** Sets whether they do: two people switch it off. */
  requireReview: closing
    .input(scope.extend({ required: z.boolean() }))
    .mutation(({ ctx, input: { merchantId, mode, required } }) => {
      return requireReview(ctx.switchyard, { merchantId: oneMerchant(ctx, merchantId), mode }, required, actorOf(ctx));
    }),
  /** Records a second look before the sign-off. */
  review: closing.input(seenMonth.extend({ note: reviewNote })).mutation(async ({ ctx, input: { note, ...seen } }) => {
    const key = { ...seen, merchantId: oneMerchant(ctx, seen.merchantId) };
    return signedOff(await reviewMonth(ctx.switchyard, key, note, actorOf(ctx)));
  }),
  /** Signs a closed month off, for good. */
  signOff: closing.input(seenMonth).mutation(async ({ ctx, input }) => {
    const key = { ...input, merchantId: oneMerchant(ctx, input.merchantId) };
    return signedOff(await signMonth(ctx.switchyard, key, actorOf(ctx)));
  }),
  /** Posts what has changed of a closed month since, as a journal of its own. */
  makeLateJournal: closing.input(oneMonth).mutation(async ({ ctx, input }) => {
    const key = { ...input, merchantId: oneMerchant(ctx, input.merchantId) };
    const outcome = await makeLateJournal(ctx.switchyard, key, actorOf(ctx));
    switch (outcome.kind) {
      case 'made':
        return { journalId: outcome.journalId, number: outcome.number };
      case 'not_found':
        return missing(NO_MONTH);
      case 'refused':
        throw new TRPCError({ code: 'BAD_REQUEST', message: outcome.why });
      default:
        return outcome satisfies never;
    }
  }),
  /** Files of such a journal to import into accounting software, or the reason why there are none. */
  lateFiles: permitted('report:export')
    .input(
      scope.extend({ journalId: z.uuid().toLowerCase(), software: z.enum(SOFTWARE), currency: z.string().regex(/^[A-Z]{3}$/) }),
    )
    .query(async ({ ctx, input: { merchantId, mode, ...wanted } }) => {
      const books = { merchantId: oneMerchant(ctx, merchantId), mode };
      const outcome = await makeLateJournalFiles(ctx.switchyard, books, wanted);
      return foundOrThrow(outcome, 'There is no such journal, or you have no access to it.');
    }),
  /** The frozen bytes as text: JSON as it was hashed, or its figures as CSV. */
  file: permitted('report:export')
    .input(oneMonth.extend({ format: z.enum(['json', 'csv']) }))
    .query(async ({ ctx, input: { format, ...month } }) => {
      const key = { ...month, merchantId: oneMerchant(ctx, month.merchantId) };
      const { text, hash, document } = foundOrThrow(await readFrozen(ctx.switchyard.resources.database, key), NO_MONTH);
      const name = `month-close-${document.merchantNumber}-${month.mode}-${month.month}`;
      return { name: `${name}.${format}`, content: format === 'json' ? text : writeCsv(document, hash), hash };
    }),
});

import type { CorrectionEffect } from '@switchyard/accounting/corrections';
import { dayText, momentValue } from '@switchyard/db/moments';
import {
  BANK_MATCHING_LIMITS,
  bankMappingSchema,
  changeBankMatching,
  DEFAULT_BANK_MATCHING,
  findLinesForPayout,
  findPayoutsForLine,
  inspectStatement,
  linkBankLine,
  listBankLinesOf,
  listBankMatching,
  listStatements,
  previewStatement,
  readBank,
  type StatementInspection,
  type StatementPreview,
  type TakeStatementOutcome,
  takeStatement,
  unlinkBankLine,
} from '@switchyard/settlements/bank';
import { sumArrivals } from '@switchyard/settlements/bank-figures';
import {
  assignSettlementDiscrepancy,
  CALENDAR_LIMITS,
  changeSettlementCalendar,
  changeSettlementDiscrepancies,
  countSettlementDiscrepancies,
  createIgnoreRule,
  endIgnoreRule,
  findLinkable,
  findPairs,
  findSettlement,
  findSettlementDiscrepancy,
  linkLine,
  listIgnoreRules,
  listSettlementDiscrepancies,
  listSettlementLines,
  listSettlementSources,
  listSettlements,
  noteSettlementDiscrepancy,
  readExplained,
  reopenSettlementDiscrepancy,
  resolveSettlementDiscrepancy,
  unlinkLine,
} from '@switchyard/settlements/console';
import { listPayoutChanges } from '@switchyard/settlements/corrections';
import {
  type FileRefusal,
  inspectSettlementFile,
  listSettlementFiles,
  previewSettlementFile,
  SETTLEMENT_FILE_LIMITS,
  type SettlementFileInspection,
  type SettlementFilePreview,
  settlementMappingSchema,
  type TakeFileOutcome,
  type TakeProgress,
  takeSettlementFile,
} from '@switchyard/settlements/files';
import {
  LINE_KINDS,
  SETTLEMENT_DISCREPANCY_KINDS,
  settlementDiscrepancyNoun,
  settlementLineNoun,
  settlementNoun,
} from '@switchyard/settlements/nouns';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import {
  actorOf,
  assigning,
  authorOf,
  changed,
  changesOfOne,
  NO_DISCREPANCY,
  requireOwnerOfAll,
  resolvingSeveral,
  severalDiscrepancies,
} from './discrepancy-changes.ts';
import { bankMatching, enteredText, resolutionReason, settlementCalendar, toleranceText } from './entered-fields.ts';
import { oneFileAtATime, type Progressing, withProgress } from './file-uploads.ts';
import { foundOrThrow, missing, oneMerchant, pageInputAfter } from './inputs.ts';
import { listedMerchants, permitted, router } from './procedure.ts';
import { effectOf, refuse, withdrawals } from './settlement-corrections.ts';

const day = dayText;
/** Filter of pages, whose periods are of days. */
const settlementFilter = settlementNoun.filter.omit({ createdFrom: true, createdTo: true });
const NO_LINE = 'There is no such line, or you have no access to it.';
const oneLine = z.object({ merchantId: z.uuid().toLowerCase(), lineId: z.uuid().toLowerCase() });
const NO_SETTLEMENT = 'There is no such settlement, or you have no access to it.';

/** The last row of the page before. */
const settlementKey = z.object({ settledOn: day.nullable(), settlementId: z.uuid().toLowerCase() });
const discrepancyKey = z.object({
  createdAt: momentValue,
  amount: z.string().regex(/^-?\d{1,60}(\.\d{1,60})?$/),
  discrepancyId: z.uuid().toLowerCase(),
});
const sort = z
  .object({ by: z.enum(['created', 'amount']), order: z.enum(['asc', 'desc']) })
  .default({ by: 'created', order: 'desc' });

const bulkChange = z.discriminatedUnion('kind', [
  assigning,
  z.object({ kind: z.literal('note'), note: z.nullable(enteredText(2_000)) }),
  resolvingSeveral,
  z.object({ kind: z.literal('reopen') }),
]);
const reading = permitted('report:read');
const resolving = permitted('reconciliation:resolve');

const NO_ACCOUNT = 'There is no such account, or you have no access to it.';
/** Length of the largest file in base64. */
const CONTENT_MAX = Math.ceil(SETTLEMENT_FILE_LIMITS.bytesMax / 3) * 4;
const fileOf = z.object({
  merchantId: z.uuid().toLowerCase(),
  accountId: z.uuid().toLowerCase(),
  content: z.string().max(CONTENT_MAX),
});
/** Where the columns of a file are, as a person says. */
const chosenPlace = { sheet: z.nullable(z.string().max(200)), titlesLine: z.nullable(z.int().min(1)) };
const correction = z.enum(['keep', 'replace', 'add']);
const mappedFile = fileOf.extend({
  name: z.string().min(1).max(200),
  mapping: settlementMappingSchema,
  entered: z.object({ reference: z.nullable(enteredText(200)), settledOn: z.nullable(day) }),
  /** By reference of a payout that is stored otherwise. */
  corrections: z.optional(z.record(z.string().max(500), correction)),
  /** The correction of payouts that are not named there. */
  otherwise: z.optional(correction),
});
/** A file or statement on its way in: how far it is, then what became of it. */
type Taking<Outcome> = AsyncIterable<Progressing<TakeProgress, Exclude<Outcome, FileRefusal>>>;

const files = router({
  /** The files that were taken in, the newest first. */
  list: reading.input(settlementFilter.pick({ merchantIds: true, mode: true })).query(({ ctx, input: { merchantIds, mode } }) => {
    return listSettlementFiles(ctx.switchyard.payments, { merchantIds: listedMerchants(ctx, merchantIds), mode });
  }),
  /** The columns of a file and how they may be read. Changes nothing; a mutation because files do not fit into addresses. */
  inspect: resolving.input(fileOf.extend(chosenPlace)).mutation(({ ctx, input }): Promise<SettlementFileInspection> => {
    const file = fileIn(ctx, input);
    return oneFileAtATime(() => inspectSettlementFile(ctx.switchyard.payments, file));
  }),
  /** Says what would become of a file by this mapping. Changes nothing. */
  preview: resolving.input(mappedFile).mutation(async ({ ctx, input }): Promise<SettlementFilePreview> => {
    const file = fileIn(ctx, input);
    const preview = await oneFileAtATime(() => previewSettlementFile(ctx.switchyard.payments, file));
    return preview.kind === 'preview' ? preview : refuse(preview);
  }),
  /** Says what would become of discrepancies, the books and closed months by this file. Changes nothing. */
  effect: resolving.input(mappedFile).mutation(({ ctx, input }): Promise<CorrectionEffect> => {
    const file = fileIn(ctx, input);
    return oneFileAtATime(() => effectOf(ctx, { kind: 'file', file }));
  }),
  /** Takes a file in exactly as the preview of this hash said, or does nothing. Sends how far it is. */
  take: resolving
    .input(mappedFile.extend({ hash: z.string().max(100), reason: z.optional(z.string().max(1_000)) }))
    .mutation(({ ctx, input }): Taking<TakeFileOutcome> => {
      const [file, actor] = [fileIn(ctx, input), actorOf(ctx)];
      return withProgress(async (report) => {
        const outcome = await oneFileAtATime(() => takeSettlementFile(ctx.switchyard.payments, file, actor, report));
        return outcome.kind === 'not_found' || outcome.kind === 'too_large' ? refuse(outcome) : outcome;
      });
    }),
});

const statementOf = z.object({
  merchantId: z.uuid().toLowerCase(),
  mode: z.enum(['test', 'live']),
  content: z.string().max(CONTENT_MAX),
});
const mappedStatement = statementOf.extend({
  name: z.string().min(1).max(200),
  csv: z.nullable(
    z.object({
      bankAccount: z.string().trim().min(1).max(100),
      mapping: bankMappingSchema,
      days: z.optional(z.object({ from: day, to: day }).refine(({ from, to }) => from <= to, 'The first day is after the last.')),
    }),
  ),
});
const bankText = z.string().trim().max(200).default('');
const bankLink = z.object({
  merchantId: z.uuid().toLowerCase(),
  bankLineId: z.uuid().toLowerCase(),
  settlementId: z.uuid().toLowerCase(),
});
const NO_BANK_LINE = 'There is no such line or payout, or you have no access to it.';

const bank = router({
  /** The payouts of a period with what reached the bank of each, and what reached it and is of none. */
  read: reading
    .input(settlementFilter.pick({ merchantIds: true, mode: true }).extend({ from: day, to: day }))
    .query(async ({ ctx, input }) => {
      const merchantIds = listedMerchants(ctx, input.merchantIds);
      const { configuration, database } = ctx.switchyard.resources;
      const found = await database.inSnapshot((snapshot) =>
        readBank({ configuration, database: snapshot }, { ...input, merchantIds }),
      );
      return { ...found, ...sumArrivals(found.payouts) };
    }),
  /** The statements that were taken in, the newest first. */
  statements: reading
    .input(settlementFilter.pick({ merchantIds: true, mode: true }))
    .query(({ ctx, input: { merchantIds, mode } }) => {
      return listStatements(ctx.switchyard.payments, { merchantIds: listedMerchants(ctx, merchantIds), mode });
    }),
  /** How near the money at the bank has to be to payouts, of each merchant, and what applies where nothing is set. */
  matching: reading
    .input(z.object({ merchantIds: z.array(z.uuid().toLowerCase()) }))
    .query(async ({ ctx, input: { merchantIds } }) => {
      const merchants = await listBankMatching(ctx.switchyard.payments, listedMerchants(ctx, merchantIds));
      return { merchants, defaults: DEFAULT_BANK_MATCHING };
    }),
  /** The lines of the bank that are of a payout, by day. */
  linesOf: reading.input(z.object({ settlementId: z.uuid().toLowerCase() })).query(async ({ ctx, input }) => {
    return foundOrThrow(
      await listBankLinesOf(ctx.switchyard.payments, { merchantIds: ctx.merchantIds, ...input }),
      NO_SETTLEMENT,
    );
  }),
  /** Lines that are of no payout and may be of this one, the nearest amount first. */
  linesFor: resolving.input(z.object({ settlementId: z.uuid().toLowerCase(), text: bankText })).query(async ({ ctx, input }) => {
    const found = await findLinesForPayout(ctx.switchyard.payments, { merchantIds: ctx.merchantIds, ...input });
    return foundOrThrow(found, NO_SETTLEMENT);
  }),
  /** Payouts that a line may be of, the nearest amount first. */
  payoutsFor: resolving.input(z.object({ bankLineId: z.uuid().toLowerCase(), text: bankText })).query(async ({ ctx, input }) => {
    const found = await findPayoutsForLine(ctx.switchyard.payments, { merchantIds: ctx.merchantIds, ...input });
    return foundOrThrow(found, NO_BANK_LINE);
  }),
  /** Says that a line is the money of a payout, or a part of it; that stays until it is undone. */
  link: resolving.input(bankLink).mutation(async ({ ctx, input }) => {
    return changed(await linkBankLine(ctx.switchyard.payments, { ...input, ...authorOf(ctx, input) }), NO_BANK_LINE);
  }),
  /** Says that a line is not of a payout, whatever it looks like. */
  unlink: resolving.input(bankLink).mutation(async ({ ctx, input }) => {
    return changed(await unlinkBankLine(ctx.switchyard.payments, { ...input, ...authorOf(ctx, input) }), NO_BANK_LINE);
  }),
  /** Sets it; null returns to the defaults. All is matched again by it, but for what people linked. */
  setMatching: resolving
    .input(z.object({ merchantId: z.uuid().toLowerCase(), matching: z.nullable(bankMatching(BANK_MATCHING_LIMITS)) }))
    .mutation(async ({ ctx, input }) => {
      const merchantId = oneMerchant(ctx, input.merchantId);
      const outcome = await changeBankMatching(ctx.switchyard.payments, { ...input, merchantId, actor: actorOf(ctx) });
      return changed(outcome, 'There is no such merchant, or you have no access to it.');
    }),
  /** The form of a statement, and for CSV its columns and how they may be read. Changes nothing. */
  inspect: resolving.input(statementOf.extend(chosenPlace)).mutation(({ ctx, input }): Promise<StatementInspection> => {
    const file = fileIn(ctx, input);
    return oneFileAtATime(() => inspectStatement(ctx.switchyard.payments, file));
  }),
  /** Says what would become of a statement. Changes nothing. */
  preview: resolving.input(mappedStatement).mutation(async ({ ctx, input }): Promise<StatementPreview> => {
    const file = fileIn(ctx, input);
    const preview = await oneFileAtATime(() => previewStatement(ctx.switchyard.payments, file));
    return preview.kind === 'preview' ? preview : refuse(preview);
  }),
  /** Takes a statement in exactly as the preview of this hash said, or does nothing. Sends how far it is. */
  take: resolving
    .input(mappedStatement.extend({ hash: z.string().max(100) }))
    .mutation(({ ctx, input }): Taking<TakeStatementOutcome> => {
      const [file, actor] = [fileIn(ctx, input), actorOf(ctx)];
      return withProgress(async (report) => {
        const outcome = await oneFileAtATime(() => takeStatement(ctx.switchyard.payments, file, actor, report));
        return outcome.kind === 'not_found' || outcome.kind === 'too_large' ? refuse(outcome) : outcome;
      });
    }),
});

const rules = router({
  /** The ignore rules, the newest first; with `ended` those that no longer apply as well. */
  list: reading.input(z.object({ merchantIds: z.array(z.uuid().toLowerCase()), ended: z.boolean() })).query(({ ctx, input }) => {
    return listIgnoreRules(ctx.switchyard.payments, { ...input, merchantIds: listedMerchants(ctx, input.merchantIds) });
  }),
  /** Creates a rule: what it covers is closed as soon as it is found. */
  create: resolving
    .input(
      z.object({
        merchantId: z.uuid().toLowerCase(),
        accountId: z.uuid().toLowerCase().nullable(),
        kind: z.enum(SETTLEMENT_DISCREPANCY_KINDS),
        lineKind: z.enum(LINE_KINDS).nullable(),
        amountMax: toleranceText,
        reason: resolutionReason,
      }),
    )
    .mutation(async ({ ctx, input }) => {
      const outcome = await createIgnoreRule(ctx.switchyard.payments, { ...input, ...authorOf(ctx, input) });
      switch (outcome.kind) {
        case 'created':
          return { ruleId: outcome.ruleId };
        case 'not_found':
          return missing(NO_ACCOUNT);
        case 'refused':
          throw new TRPCError({ code: 'BAD_REQUEST', message: outcome.why });
        default:
          return outcome satisfies never;
      }
    }),
  /** Ends a rule. What was closed under it stays closed. */
  end: resolving
    .input(z.object({ merchantId: z.uuid().toLowerCase(), ruleId: z.uuid().toLowerCase() }))
    .mutation(async ({ ctx, input }) => {
      const outcome = await endIgnoreRule(ctx.switchyard.payments, { ...input, ...authorOf(ctx, input) });
      return changed(outcome, 'There is no such rule, or you have no access to it.');
    }),
});

/** A file of a merchant that the caller may see. */
function fileIn<File extends { readonly merchantId: string; readonly content: string }>(
  ctx: Parameters<typeof oneMerchant>[0],
  { content, ...file }: File,
) {
  return { ...file, merchantId: oneMerchant(ctx, file.merchantId), bytes: Buffer.from(content, 'base64') };
}

/** tRPC procedures of settlements. */
export const settlements = router({
  bank,
  files,
  rules,
  withdrawals,
  /** A page of settlements: those without a day of payout first, then the newest. */
  list: reading.input(pageInputAfter(settlementFilter, settlementKey)).query(({ ctx, input: { cursor, ...query } }) => {
    const merchantIds = listedMerchants(ctx, query.merchantIds);
    return listSettlements(ctx.switchyard.payments, { ...query, merchantIds, after: cursor ?? null });
  }),
  /** Settled money by currency: how much of it is matched, and what has not come yet. */
  explained: reading.input(settlementFilter).query(({ ctx, input }) => {
    return readExplained(ctx.switchyard.payments, { ...input, merchantIds: listedMerchants(ctx, input.merchantIds) });
  }),
  /** One settlement with its lines added up by kind. */
  byId: reading.input(z.object({ settlementId: z.uuid().toLowerCase() })).query(async ({ ctx, input }) => {
    const found = await findSettlement(ctx.switchyard.payments, { merchantIds: ctx.merchantIds, ...input });
    return foundOrThrow(found, NO_SETTLEMENT);
  }),
  /** Changes that people made to a settlement, newest first. */
  changes: reading.input(z.object({ settlementId: z.uuid().toLowerCase() })).query(async ({ ctx, input }) => {
    const found = await listPayoutChanges(ctx.switchyard.payments, { merchantIds: ctx.merchantIds, ...input });
    return foundOrThrow(found, NO_SETTLEMENT);
  }),
  /** A page of a settlement's lines, in the gateway's order. */
  lines: reading
    .input(
      pageInputAfter(
        z.strictObject({
          settlementId: z.uuid().toLowerCase(),
          ...settlementLineNoun.filter.pick({ kinds: true, unmatchedOnly: true }).shape,
        }),
        z.int().min(0),
      ),
    )
    .query(({ ctx, input: { cursor, ...query } }) => {
      return listSettlementLines(ctx.switchyard.payments, { ...query, merchantIds: ctx.merchantIds, after: cursor ?? null });
    }),
  /** Candidates for a line that is not matched: payments and refunds of its account, by an order id, reference or transaction id; of an empty text those missing of its amount. */
  linkable: resolving
    .input(z.object({ lineId: z.uuid().toLowerCase(), text: z.string().trim().max(200) }))
    .query(async ({ ctx, input }) => {
      const found = await findLinkable(ctx.switchyard.payments, { merchantIds: ctx.merchantIds, ...input });
      return foundOrThrow(found, NO_LINE);
    }),
  linkLine: resolving
    .input(oneLine.extend({ entry: z.object({ subject: z.string().max(100), paymentId: z.uuid().toLowerCase() }) }))
    .mutation(async ({ ctx, input }) => {
      return changed(await linkLine(ctx.switchyard.payments, { ...input, ...authorOf(ctx, input) }), NO_LINE);
    }),
  /** Undoes a link that staff made. */
  unlinkLine: resolving.input(oneLine).mutation(async ({ ctx, input }) => {
    return changed(await unlinkLine(ctx.switchyard.payments, { ...input, ...authorOf(ctx, input) }), NO_LINE);
  }),
  /** The accounts with the way that their settlements come, when one was last heard of, and their calendars. */
  accounts: reading
    .input(settlementFilter.pick({ merchantIds: true, mode: true }))
    .query(({ ctx, input: { merchantIds, mode } }) => {
      return listSettlementSources(ctx.switchyard.payments, { merchantIds: listedMerchants(ctx, merchantIds), mode });
    }),
  /** Sets when an account's money is expected; null returns to what the gateway publishes. */
  setCalendar: resolving
    .input(
      z.object({
        merchantId: z.uuid().toLowerCase(),
        accountId: z.uuid().toLowerCase(),
        calendar: z.nullable(settlementCalendar(CALENDAR_LIMITS)),
      }),
    )
    .mutation(async ({ ctx, input }) => {
      const merchantId = oneMerchant(ctx, input.merchantId);
      const outcome = await changeSettlementCalendar(ctx.switchyard.payments, { ...input, merchantId, actor: actorOf(ctx) });
      return changed(outcome, NO_ACCOUNT);
    }),
  discrepancies: router({
    /** A page of what is open between what was expected and what was settled; the newest first unless sorted otherwise. */
    list: reading
      .input(pageInputAfter(settlementDiscrepancyNoun.filter, discrepancyKey).extend({ sort }))
      .query(({ ctx, input: { cursor, ...query } }) => {
        const merchantIds = listedMerchants(ctx, query.merchantIds);
        return listSettlementDiscrepancies(ctx.switchyard.payments, { ...query, merchantIds, after: cursor ?? null });
      }),
    /** The number of discrepancies of each kind and state. */
    counts: reading.input(settlementDiscrepancyNoun.filter).query(({ ctx, input }) => {
      const merchantIds = listedMerchants(ctx, input.merchantIds);
      return countSettlementDiscrepancies(ctx.switchyard.payments, { ...input, merchantIds });
    }),
    /** One discrepancy. */
    byId: reading.input(z.object({ discrepancyId: z.uuid().toLowerCase() })).query(async ({ ctx, input }) => {
      const found = await findSettlementDiscrepancy(ctx.switchyard.payments, { merchantIds: ctx.merchantIds, ...input });
      return foundOrThrow(found, NO_DISCREPANCY);
    }),
    /** Lines that are not matched and missing money of equal amounts that would close a discrepancy. */
    pairs: resolving.input(z.object({ discrepancyId: z.uuid().toLowerCase() })).query(async ({ ctx, input }) => {
      return foundOrThrow(await findPairs(ctx.switchyard.payments, { merchantIds: ctx.merchantIds, ...input }), NO_DISCREPANCY);
    }),
    /** Changes several discrepancies, each on its own. Returns what became of each, in their order. */
    changeMany: resolving
      .input(z.object({ keys: severalDiscrepancies, change: bulkChange }))
      .mutation(async ({ ctx, input: { keys, change } }) => {
        await requireOwnerOfAll(ctx, keys, change.kind === 'assign' ? change.ownerId : null);
        return changeSettlementDiscrepancies(ctx.switchyard.payments, { keys, change, actor: actorOf(ctx) });
      }),
    ...changesOfOne({
      note: noteSettlementDiscrepancy,
      assign: assignSettlementDiscrepancy,
      resolve: resolveSettlementDiscrepancy,
      reopen: reopenSettlementDiscrepancy,
    }),
  }),
});

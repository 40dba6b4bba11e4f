import { dayText } from '@switchyard/db/moments';
import {
  addDiscrepancyNote,
  assignDiscrepancy,
  changeDiscrepancies,
  changeTolerance,
  countAllDiscrepancies,
  countDiscrepanciesByAge,
  findDiscrepancy,
  listDiscrepancies,
  listRuns,
  listTolerances,
  listTotals,
  reopenDiscrepancy,
  resolveDiscrepancy,
  TOLERANCE_MAX,
} from '@switchyard/reconciliation/discrepancies';
import { discrepancyNoun } from '@switchyard/reconciliation/discrepancy-noun';
import { requestDay } from '@switchyard/reconciliation/runs';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import {
  actorOf,
  assigning,
  changesOfOne,
  NO_DISCREPANCY,
  ownersOf,
  requireOwnerOfAll,
  resolvingSeveral,
  severalDiscrepancies,
} from './discrepancy-changes.ts';
import { resolutionReason, toleranceText } from './entered-fields.ts';
import { foundOrThrow, missing, oneMerchant, pageInputAfter } from './inputs.ts';
import { listedMerchants, permitted, resolveMerchants, router } from './procedure.ts';

const day = dayText;

const scope = z.object({
  /** Null for every merchant the caller may see. */
  merchantId: z.uuid().toLowerCase().nullable().default(null),
  mode: z.enum(['test', 'live']),
  /** One account; null for all. */
  accountId: z.uuid().toLowerCase().nullable().default(null),
  /** First and last day. */
  from: day.nullable().default(null),
  to: day.nullable().default(null),
});

const sort = z.object({ by: z.enum(['day', 'amount']), order: z.enum(['asc', 'desc']) }).default({ by: 'day', order: 'desc' });
/** The last discrepancy of the previous page. */
const discrepancyKey = z.object({
  day,
  amount: z.string().regex(/^-?\d{1,60}(\.\d{1,60})?$/),
  discrepancyId: z.uuid().toLowerCase(),
});

const bulkChange = z.discriminatedUnion('kind', [
  assigning,
  resolvingSeveral,
  z.object({ kind: z.literal('accept'), why: resolutionReason }),
]);
const tolerance = toleranceText.check(
  z.refine((value) => Number(value) <= TOLERANCE_MAX, `must be at most ${TOLERANCE_MAX.toLocaleString('en')}`),
);
const reading = permitted('report:read');
const resolving = permitted('reconciliation:resolve');

/** tRPC procedures of reconciliation. */
export const reconciliation = router({
  /** Reconciled and requested days with the totals of both sides, the latest first. */
  runs: reading
    .input(
      scope.extend({
        cursor: z.object({ day, runId: z.uuid().toLowerCase() }).nullish(),
        limit: z.int().min(1).max(500).default(100),
      }),
    )
    .query(({ ctx, input: { merchantId, cursor, ...query } }) => {
      const merchantIds = resolveMerchants(ctx, merchantId);
      return listRuns(ctx.switchyard.payments, { ...query, merchantIds, after: cursor ?? null });
    }),
  /** Totals of reconciled days, one line for each day, account and currency, with statement total minus ledger total. */
  totals: reading.input(scope).query(({ ctx, input: { merchantId, ...query } }) => {
    return listTotals(ctx.switchyard.payments, { ...query, merchantIds: resolveMerchants(ctx, merchantId) });
  }),
  /** A page of discrepancies, the latest day first unless sorted otherwise. */
  discrepancies: reading
    .input(pageInputAfter(discrepancyNoun.filter, discrepancyKey).extend({ sort }))
    .query(({ ctx, input: { cursor, ...query } }) => {
      const merchantIds = listedMerchants(ctx, query.merchantIds);
      return listDiscrepancies(ctx.switchyard.payments, { ...query, merchantIds, after: cursor ?? null });
    }),
  /** The number of discrepancies of each kind and state. */
  counts: reading.input(discrepancyNoun.filter).query(({ ctx, input }) => {
    return countAllDiscrepancies(ctx.switchyard.payments, { ...input, merchantIds: listedMerchants(ctx, input.merchantIds) });
  }),
  /** The number and amount of discrepancies by age, on the caller's day. */
  byAge: reading.input(z.object({ filter: discrepancyNoun.filter, today: day })).query(({ ctx, input: { filter, today } }) => {
    const merchantIds = listedMerchants(ctx, filter.merchantIds);
    return countDiscrepanciesByAge(ctx.switchyard.payments, { ...filter, merchantIds }, today);
  }),
  /** One discrepancy with both sides. */
  discrepancy: reading.input(z.object({ discrepancyId: z.uuid().toLowerCase() })).query(async ({ ctx, input }) => {
    const found = await findDiscrepancy(ctx.switchyard.payments, { merchantIds: ctx.merchantIds, ...input });
    return foundOrThrow(found, NO_DISCREPANCY);
  }),
  /** The accounts that can be reconciled. */
  accounts: reading
    .input(z.object({ merchantId: z.uuid().toLowerCase().nullable().default(null), mode: z.enum(['test', 'live']) }))
    .query(({ ctx, input }) => {
      const { configuration } = ctx.switchyard.resources;
      return resolveMerchants(ctx, input.merchantId)
        .flatMap((merchantId) => configuration.merchant(merchantId) ?? [])
        .flatMap(({ merchant, accounts }) =>
          accounts
            .filter(({ mode, credentials }) => mode === input.mode && credentials !== null)
            .map(({ id, label, gateway }) => ({
              merchantId: merchant.id,
              merchantName: merchant.name,
              accountId: id,
              label,
              gateway,
            })),
        );
    }),
  /** The staff users who may own discrepancies of these merchants (of all that the caller may see), with the merchants they may. */
  owners: reading
    .input(z.object({ merchantIds: z.array(z.uuid().toLowerCase()).max(1_000).default([]) }))
    .query(async ({ ctx, input }) => {
      const owners = new Map<string, { readonly staffId: string; readonly name: string; readonly merchantIds: string[] }>();
      for (const merchantId of listedMerchants(ctx, input.merchantIds)) {
        for (const owner of await ownersOf(ctx, merchantId)) {
          const known = owners.get(owner.staffId);
          if (known === undefined) owners.set(owner.staffId, { ...owner, merchantIds: [merchantId] });
          else known.merchantIds.push(merchantId);
        }
      }
      return [...owners.values()].toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
    }),
  /** By how much amounts may differ for staff to accept them together, for each merchant. */
  tolerances: reading
    .input(z.object({ merchantId: z.uuid().toLowerCase().nullable().default(null) }))
    .query(async ({ ctx, input }) => {
      const { configuration } = ctx.switchyard.resources;
      const rows = await listTolerances(ctx.switchyard.payments, resolveMerchants(ctx, input.merchantId));
      return rows.map((row) => ({ ...row, merchantName: configuration.merchant(row.merchantId)?.merchant.name ?? '' }));
    }),
  /** Sets a merchant's tolerance; `0` accepts nothing. */
  setTolerance: resolving.input(z.object({ merchantId: z.uuid().toLowerCase(), tolerance })).mutation(async ({ ctx, input }) => {
    const merchantId = oneMerchant(ctx, input.merchantId);
    const { kind } = await changeTolerance(ctx.switchyard.payments, { ...input, merchantId, actor: actorOf(ctx) });
    return { changed: kind === 'changed' };
  }),
  /** Assigns, resolves or accepts several discrepancies, each on its own. Returns what became of each, in their order. */
  changeMany: resolving
    .input(z.object({ keys: severalDiscrepancies, change: bulkChange }))
    .mutation(async ({ ctx, input: { keys, change } }) => {
      await requireOwnerOfAll(ctx, keys, change.kind === 'assign' ? change.ownerId : null);
      return changeDiscrepancies(ctx.switchyard.payments, { keys, change, actor: actorOf(ctx) });
    }),
  /** Requests the reconciliation of one account's finished day. */
  runNow: resolving
    .input(z.object({ merchantId: z.uuid().toLowerCase(), accountId: z.uuid().toLowerCase(), day }))
    .mutation(async ({ ctx, input }) => {
      const merchantId = oneMerchant(ctx, input.merchantId);
      const outcome = await requestDay(ctx.switchyard.payments, { ...input, merchantId, actor: actorOf(ctx) });
      switch (outcome.kind) {
        case 'requested':
          return { requested: true };
        case 'not_found':
          return missing('There is no such account, or you have no access to it.');
        case 'refused':
          throw new TRPCError({ code: 'BAD_REQUEST', message: outcome.why });
        default:
          return outcome satisfies never;
      }
    }),
  ...changesOfOne({
    note: addDiscrepancyNote,
    assign: assignDiscrepancy,
    resolve: resolveDiscrepancy,
    reopen: reopenDiscrepancy,
  }),
});

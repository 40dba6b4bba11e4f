import {
  addDiscrepancyNote,
  assignDiscrepancy,
  countAllDiscrepancies,
  type DiscrepancyOutcome,
  findDiscrepancy,
  listDiscrepancies,
  listRuns,
  listTotals,
  reopenDiscrepancy,
  requestDay,
  resolveDiscrepancy,
} from '@switchyard/reconciliation';
import { listGrants, may } from '@switchyard/staff';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { discrepancyFilter, pageInputAfter } from '../list-filters.ts';
import { listedMerchants, merchantsInQuestion, permitted, router, type TrpcContext } from './procedure.ts';
import { missing, oneMerchant, orMissing } from './rules-input.ts';

const TEXT_MAX = 2_000;
const text = z
  .string()
  .max(TEXT_MAX)
  .refine((value) => !value.includes('\u0000') && value.isWellFormed(), 'must be plain text');
const day = z.iso.date();

const scope = z.object({
  /** Null for every merchant the caller may see. */
  merchantId: z.uuid().nullable().default(null),
  mode: z.enum(['test', 'live']),
  /** One account; null for all. */
  accountId: z.uuid().nullable().default(null),
  /** First and last day. */
  from: day.nullable().default(null),
  to: day.nullable().default(null),
});

const one = z.object({ merchantId: z.uuid(), discrepancyId: z.uuid() });
const reading = permitted('report:read');
const resolving = permitted('reconciliation:resolve');

/** tRPC procedures of reconciliation. */
export const reconciliation = router({
  /** Reconciled and requested days with the totals of both sides, the latest first. */
  runs: reading
    .input(
      scope.extend({
        cursor: z.object({ day, runId: z.uuid() }).nullish(),
        limit: z.int().min(1).max(500).default(100),
      }),
    )
    .query(({ ctx, input: { merchantId, cursor, ...query } }) => {
      const merchantIds = merchantsInQuestion(ctx, merchantId);
      return listRuns(ctx.switchyard.payments, { ...query, merchantIds, after: cursor ?? null });
    }),
  /** Totals of reconciled days, one line for each day, account and currency, with statement total minus ledger total. */
  totals: reading.input(scope).query(({ ctx, input: { merchantId, ...query } }) => {
    return listTotals(ctx.switchyard.payments, { ...query, merchantIds: merchantsInQuestion(ctx, merchantId) });
  }),
  /** A page of discrepancies, the latest day first. */
  discrepancies: reading
    .input(pageInputAfter(discrepancyFilter, z.object({ day, discrepancyId: z.uuid() })))
    .query(({ ctx, input: { cursor, ...query } }) => {
      const merchantIds = listedMerchants(ctx, query.merchantIds);
      return listDiscrepancies(ctx.switchyard.payments, { ...query, merchantIds, after: cursor ?? null });
    }),
  /** The number of discrepancies of each kind and state. */
  counts: reading.input(discrepancyFilter).query(({ ctx, input }) => {
    return countAllDiscrepancies(ctx.switchyard.payments, { ...input, merchantIds: listedMerchants(ctx, input.merchantIds) });
  }),
  /** One discrepancy with both sides. */
  discrepancy: reading.input(z.object({ discrepancyId: z.uuid() })).query(async ({ ctx, input }) => {
    const found = await findDiscrepancy(ctx.switchyard.payments, { merchantIds: ctx.merchantIds, ...input });
    return orMissing(found, 'There is no such discrepancy, or you have no access to it.');
  }),
  /** The accounts that can be reconciled. */
  accounts: reading
    .input(z.object({ merchantId: z.uuid().nullable().default(null), mode: z.enum(['test', 'live']) }))
    .query(({ ctx, input }) => {
      const { configuration } = ctx.switchyard.resources;
      return merchantsInQuestion(ctx, input.merchantId)
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
  /** The staff users to whom a discrepancy of a merchant can be assigned. */
  owners: reading.input(z.object({ merchantId: z.uuid() })).query(({ ctx, input }) => {
    return ownersOf(ctx, oneMerchant(ctx, input.merchantId));
  }),
  /** Requests the reconciliation of one account's finished day. */
  runNow: resolving.input(z.object({ merchantId: z.uuid(), accountId: z.uuid(), day })).mutation(async ({ ctx, input }) => {
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
  /** Writes the owner's note; null deletes it. */
  note: resolving.input(one.extend({ note: text.nullable() })).mutation(async ({ ctx, input }) => {
    return changed(await addDiscrepancyNote(ctx.switchyard.payments, { ...input, ...authorOf(ctx, input) }));
  }),
  /** Assigns a discrepancy to a staff user who may resolve it; null removes the owner. */
  assign: resolving.input(one.extend({ ownerId: z.uuid().nullable() })).mutation(async ({ ctx, input }) => {
    const author = authorOf(ctx, input);
    const owners = input.ownerId === null ? [] : await ownersOf(ctx, author.merchantId);
    if (input.ownerId !== null && !owners.some(({ staffId }) => staffId === input.ownerId)) {
      throw new TRPCError({ code: 'BAD_REQUEST', message: 'Choose a person who may resolve discrepancies of this merchant.' });
    }
    return changed(await assignDiscrepancy(ctx.switchyard.payments, { ...input, ...author }));
  }),
  /** Resolves a discrepancy: corrected, or explained with nothing left to do. */
  resolve: resolving.input(one.extend({ as: z.enum(['RESOLVED', 'EXPLAINED']), why: text })).mutation(async ({ ctx, input }) => {
    return changed(await resolveDiscrepancy(ctx.switchyard.payments, { ...input, ...authorOf(ctx, input) }));
  }),
  /** Reopens a resolved discrepancy. */
  reopen: resolving.input(one).mutation(async ({ ctx, input }) => {
    return changed(await reopenDiscrepancy(ctx.switchyard.payments, { ...input, ...authorOf(ctx, input) }));
  }),
});

type SignedIn = { readonly session: { readonly staffId: string }; readonly merchantIds: readonly string[] };

function actorOf({ session }: SignedIn): string {
  return `staff:${session.staffId}`;
}

function authorOf(ctx: SignedIn, { merchantId }: { readonly merchantId: string }) {
  return { merchantId: oneMerchant(ctx, merchantId), actor: actorOf(ctx) };
}

async function ownersOf({ switchyard }: Pick<TrpcContext, 'switchyard'>, merchantId: string) {
  const grants = await listGrants(switchyard.merchants, { merchantId });
  const able = grants.filter(({ role }) => may(role, 'reconciliation:resolve'));
  return [...new Map(able.map(({ staffId, name }) => [staffId, { staffId, name }])).values()];
}

function changed(outcome: DiscrepancyOutcome): { readonly changed: boolean } {
  switch (outcome.kind) {
    case 'changed':
    case 'unchanged':
      return { changed: outcome.kind === 'changed' };
    case 'not_found':
      return missing('There is no such discrepancy, or you have no access to it.');
    case 'refused':
      throw new TRPCError({ code: 'BAD_REQUEST', message: outcome.why });
    default:
      return outcome satisfies never;
  }
}

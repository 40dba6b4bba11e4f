import { listStaffWhoMay } from '@switchyard/staff/grants';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { enteredText, resolutionReason } from './entered-fields.ts';
import { missing, oneMerchant } from './inputs.ts';
import { listedMerchants, permitted, type TrpcContext } from './procedure.ts';

/* Changes of discrepancies, those of reconciliation and those of settlements. */

export const NO_DISCREPANCY = 'There is no such discrepancy, or you have no access to it.';

/** A discrepancy to change. */
const oneDiscrepancy = z.object({ merchantId: z.uuid().toLowerCase(), discrepancyId: z.uuid().toLowerCase() });
/** Discrepancies to change at once. */
export const severalDiscrepancies = z.array(oneDiscrepancy).min(1).max(200);

/** Changes that every discrepancy can have, several at once. */
export const assigning = z.object({ kind: z.literal('assign'), ownerId: z.uuid().toLowerCase().nullable() });
const resolution = z.object({ as: z.enum(['RESOLVED', 'EXPLAINED']), why: resolutionReason });
export const resolvingSeveral = resolution.extend({ kind: z.literal('resolve') });

type SignedIn = { readonly session: { readonly staffId: string }; readonly merchantIds: readonly string[] };

/** The signed-in person as the actor of an audit entry. */
export function actorOf({ session }: SignedIn): string {
  return `staff:${session.staffId}`;
}

/** The same, with the merchant that the change is for, which they may see. */
export function authorOf(ctx: SignedIn, { merchantId }: { readonly merchantId: string }) {
  return { merchantId: oneMerchant(ctx, merchantId), actor: actorOf(ctx) };
}

/** Throws BAD_REQUEST unless this staff user may resolve discrepancies of the merchant; null is no owner. */
async function requireOwner(ctx: Pick<TrpcContext, 'switchyard'>, merchantId: string, ownerId: string | null): Promise<void> {
  if (ownerId === null) return;
  const owners = await ownersOf(ctx, merchantId);
  if (owners.some(({ staffId }) => staffId === ownerId)) return;
  const name = ctx.switchyard.resources.configuration.merchant(merchantId)?.merchant.name ?? 'this merchant';
  throw new TRPCError({ code: 'BAD_REQUEST', message: `Select a person who can resolve discrepancies of ${name}.` });
}

/** The same for the merchants of several discrepancies. Throws unless the caller may see each of them. */
export async function requireOwnerOfAll(
  ctx: Pick<TrpcContext, 'switchyard'> & Parameters<typeof listedMerchants>[0],
  keys: z.output<typeof severalDiscrepancies>,
  ownerId: string | null,
): Promise<void> {
  const merchantIds = listedMerchants(
    ctx,
    keys.map(({ merchantId }) => merchantId),
  );
  for (const merchantId of merchantIds) await requireOwner(ctx, merchantId, ownerId);
}

/** Staff who may resolve discrepancies of a merchant. */
export function ownersOf({ switchyard }: Pick<TrpcContext, 'switchyard'>, merchantId: string) {
  return listStaffWhoMay(switchyard, { merchantId, permission: 'reconciliation:resolve' });
}

type Outcome = { readonly kind: 'changed' | 'unchanged' | 'not_found' } | { readonly kind: 'refused'; readonly why: string };

/** The answer to a change. Throws NOT_FOUND with this message, and BAD_REQUEST for one that was refused. */
export function changed(outcome: Outcome, notFound = NO_DISCREPANCY): { readonly changed: boolean } {
  switch (outcome.kind) {
    case 'changed':
    case 'unchanged':
      return { changed: outcome.kind === 'changed' };
    case 'not_found':
      return missing(notFound);
    case 'refused':
      throw new TRPCError({ code: 'BAD_REQUEST', message: outcome.why });
    default:
      return outcome satisfies never;
  }
}

type Change<Entered> = (
  context: TrpcContext['switchyard']['payments'],
  command: z.output<typeof oneDiscrepancy> & { readonly actor: string } & Entered,
) => Promise<Outcome>;

const resolving = permitted('reconciliation:resolve');

/** Procedures that change one discrepancy, whatever it was found in. */
export function changesOfOne({
  note,
  assign,
  resolve,
  reopen,
}: {
  readonly note: Change<{ readonly note: string | null }>;
  readonly assign: Change<{ readonly ownerId: string | null }>;
  readonly resolve: Change<z.output<typeof resolution>>;
  readonly reopen: Change<object>;
}) {
  return {
    /** Writes the owner's note; null deletes it. */
    note: resolving.input(oneDiscrepancy.extend({ note: z.nullable(enteredText(2_000)) })).mutation(async ({ ctx, input }) => {
      return changed(await note(ctx.switchyard.payments, { ...input, ...authorOf(ctx, input) }));
    }),
    /** Assigns a discrepancy to a staff user who may resolve it; null removes the owner. */
    assign: resolving
      .input(oneDiscrepancy.extend({ ownerId: z.uuid().toLowerCase().nullable() }))
      .mutation(async ({ ctx, input }) => {
        const author = authorOf(ctx, input);
        await requireOwner(ctx, author.merchantId, input.ownerId);
        return changed(await assign(ctx.switchyard.payments, { ...input, ...author }));
      }),
    /** Resolves a discrepancy: corrected, or explained with nothing left to do. */
    resolve: resolving.input(oneDiscrepancy.extend(resolution.shape)).mutation(async ({ ctx, input }) => {
      return changed(await resolve(ctx.switchyard.payments, { ...input, ...authorOf(ctx, input) }));
    }),
    /** Reopens a resolved discrepancy. */
    reopen: resolving.input(oneDiscrepancy).mutation(async ({ ctx, input }) => {
      return changed(await reopen(ctx.switchyard.payments, { ...input, ...authorOf(ctx, input) }));
    }),
  };
}

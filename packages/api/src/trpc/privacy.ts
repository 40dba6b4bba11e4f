import { changeRetention, describeRetention, KEPT, RETENTION_KINDS } from '@switchyard/privacy';
import { may } from '@switchyard/staff';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { permitted, router, type TrpcContext } from './procedure.ts';
import { oneMerchant } from './rules-input.ts';

/** Null for the workspace. */
const merchantId = z.uuid().nullable();

/** tRPC procedures of how long data is kept. */
export const privacy = router({
  /** How long each kind of data is kept, what the last run removed, and what never goes by age. */
  retention: permitted('retention:read')
    .input(z.object({ merchantId }))
    .query(async ({ ctx, input }) => {
      if (input.merchantId !== null) oneMerchant(ctx, input.merchantId);
      const kinds = await describeRetention(ctx.switchyard.merchants, {
        merchantId: input.merchantId,
        visibleMerchantIds: ctx.merchantIds,
      });
      return { kinds, kept: KEPT };
    }),
  /** Changes how long data is kept: of one merchant, or of all that have no setting of their own. Null days removes a setting. */
  changeRetention: permitted('retention:change')
    .input(z.object({ merchantId, changes: z.partialRecord(z.enum(RETENTION_KINDS), z.number().nullable()) }))
    .mutation(({ ctx, input }) => {
      requireReach(ctx, input.merchantId);
      return changeRetention(ctx.switchyard.merchants, { ...input, actor: `staff:${ctx.session.staffId}` });
    }),
});

interface CallerContext {
  readonly session: NonNullable<TrpcContext['session']>;
  readonly merchantIds: readonly string[];
}

/** Settings of the workspace need the permission for all merchants: a role for one merchant does not suffice. */
function requireReach(ctx: CallerContext, of: string | null): void {
  if (of !== null) {
    oneMerchant(ctx, of);
    return;
  }
  if (ctx.session.grants.some((grant) => grant.merchantId === null && may(grant.role, 'retention:change'))) return;
  throw new TRPCError({ code: 'FORBIDDEN', message: 'Settings of the workspace are changed by owners of the whole workspace.' });
}

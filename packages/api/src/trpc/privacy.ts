import {
  changeRetention,
  describeRetention,
  eraseCustomer,
  exportCustomer,
  KEPT,
  previewErasure,
  RETENTION_KINDS,
} from '@switchyard/privacy';
import { may } from '@switchyard/staff/permissions';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { oneMerchant } from './inputs.ts';
import { permitted, router, type TrpcContext } from './procedure.ts';

/** Null for the workspace. */
const merchantId = z.uuid().toLowerCase().nullable();

/** Types only: what is wrong with a field is returned beside it, not thrown. */
const subject = z.object({
  merchantId: z.uuid().toLowerCase(),
  mode: z.enum(['test', 'live']),
  email: z.string().max(1_000).default(''),
  phone: z.string().max(1_000).default(''),
  customerId: z.string().max(1_000).default(''),
});

/** tRPC procedures of how long data is kept, and of customers who ask for their data or to be erased. */
export const privacy = router({
  /** How long each kind of data is kept, what the last run removed, and what never goes by age. */
  retention: permitted('retention:read')
    .input(z.object({ merchantId }))
    .query(async ({ ctx, input }) => {
      if (input.merchantId !== null) oneMerchant(ctx, input.merchantId);
      const kinds = await describeRetention(ctx.switchyard, {
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
      return changeRetention(ctx.switchyard, { ...input, actor: actorOf(ctx) });
    }),
  /** Records that erasing a customer would touch, and those that stand against it. A mutation, so that no address names the person. */
  previewErasure: permitted('customer:erase')
    .input(subject)
    .mutation(({ ctx, input }) => {
      oneMerchant(ctx, input.merchantId);
      return previewErasure(ctx.switchyard, input);
    }),
  /** Erases a customer for good. `confirmation` is what the preview showed. */
  eraseCustomer: permitted('customer:erase')
    .input(subject.extend({ confirmation: z.string().max(200) }))
    .mutation(({ ctx, input: { confirmation, ...about } }) => {
      oneMerchant(ctx, about.merchantId);
      return eraseCustomer(ctx.switchyard, { subject: about, confirmation, actor: actorOf(ctx) });
    }),
  /** Everything held about a customer, as the texts of two files. */
  exportCustomer: permitted('customer:export')
    .input(subject)
    .mutation(({ ctx, input }) => {
      oneMerchant(ctx, input.merchantId);
      return exportCustomer(ctx.switchyard, { subject: input, actor: actorOf(ctx) });
    }),
});

interface CallerContext {
  readonly session: NonNullable<TrpcContext['session']>;
  readonly merchantIds: readonly string[];
}

function actorOf({ session }: Pick<CallerContext, 'session'>): string {
  return `staff:${session.staffId}`;
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

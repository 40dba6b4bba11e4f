import { listViews, removeView, saveView } from '@switchyard/staff';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { permitted, router } from './procedure.ts';

const page = z.enum(['payments']);
const plain = (most: number) =>
  z
    .string()
    .trim()
    .max(most, `must be at most ${most} characters long`)
    .refine((text) => !text.includes('\u0000') && text.isWellFormed(), 'must be plain text');

/** Saved filters of lists: the caller's own, and those that are shared. */
export const savedViews = router({
  list: permitted('payment:read')
    .input(z.object({ page }))
    .query(async ({ ctx, input }) => {
      const views = await listViews(ctx.switchyard.payments, { ...input, staffId: ctx.session.staffId });
      return views.map(({ ownerId, ...view }) => ({ ...view, own: ownerId === ctx.session.staffId }));
    }),
  /** Replaces the caller's own view of that name. */
  save: permitted('payment:read')
    .input(z.object({ page, name: plain(60).min(1, 'must not be empty'), query: plain(2_000), shared: z.boolean() }))
    .mutation(({ ctx, input }) => saveView(ctx.switchyard.payments, { ...input, staffId: ctx.session.staffId })),
  remove: permitted('payment:read')
    .input(z.object({ viewId: z.uuid() }))
    .mutation(async ({ ctx, input }) => {
      const { kind } = await removeView(ctx.switchyard.payments, { ...input, staffId: ctx.session.staffId });
      if (kind === 'not_found') throw new TRPCError({ code: 'NOT_FOUND', message: 'There is no such view of yours.' });
      return { kind };
    }),
});

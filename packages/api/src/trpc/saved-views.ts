import { hasPermissionAnywhere, type Permission, type StaffSession } from '@switchyard/staff/permissions';
import { listViews, removeView, saveView } from '@switchyard/staff/saved-views';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { enteredText, viewName } from './entered-fields.ts';
import { router, signedIn } from './procedure.ts';

/**
 * The lists that can be saved as views, with the permission to see the list: a view may name what is in it. Null for lists of the
 * caller's own.
 */
const PAGES = {
  payments: 'payment:read',
  refunds: 'payment:read',
  'duplicate-charges': 'payment:read',
  'refund-approvals': 'payment:read',
  reviews: 'payment:read',
  discrepancies: 'report:read',
  deliveries: 'webhook:read',
  'gateway-webhooks': 'webhook:read',
  audit: 'audit:read',
  alerts: 'alert:read',
  'alert-history': 'alert:read',
  'alert-messages': 'alert:read',
  endpoints: 'webhook:read',
  'machine-tokens': null,
  team: 'team:read',
  keys: 'key:read',
  merchants: 'merchant:read',
  explorer: 'report:read',
} as const satisfies Readonly<Record<string, Permission | null>>;

const page = z.enum(Object.keys(PAGES) as (keyof typeof PAGES)[]);
/** Throws FORBIDDEN where the caller may not see the list. */
function requireList(session: StaffSession, list: keyof typeof PAGES): void {
  const permission = PAGES[list];
  if (permission === null || hasPermissionAnywhere(session, permission)) return;
  throw new TRPCError({ code: 'FORBIDDEN', message: 'Your role does not allow this. Ask an owner of the workspace.' });
}

/** Saved views of lists: the caller's own, and those that are shared. */
export const savedViews = router({
  list: signedIn.input(z.object({ page })).query(async ({ ctx, input }) => {
    requireList(ctx.session, input.page);
    const views = await listViews(ctx.switchyard, { ...input, staffId: ctx.session.staffId });
    return views.map(({ ownerId, ...view }) => ({ ...view, own: ownerId === ctx.session.staffId }));
  }),
  /** Replaces the caller's own view of that name. */
  save: signedIn
    .input(z.object({ page, name: viewName, query: enteredText(2_000), shared: z.boolean() }))
    .mutation(({ ctx, input }) => {
      requireList(ctx.session, input.page);
      return saveView(ctx.switchyard, { ...input, staffId: ctx.session.staffId });
    }),
  remove: signedIn.input(z.object({ viewId: z.uuid().toLowerCase() })).mutation(async ({ ctx, input }) => {
    const { kind } = await removeView(ctx.switchyard, { ...input, staffId: ctx.session.staffId });
    if (kind === 'not_found') throw new TRPCError({ code: 'NOT_FOUND', message: 'There is no such view of yours.' });
    return { kind };
  }),
});

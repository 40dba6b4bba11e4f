import { NIL_ID } from '@switchyard/db';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { reachOf } from './merchants-where.ts';
import type { StaffSession } from './staff-session.ts';

const CHOICES_MAX = 100;
const words = z.array(z.string().max(200)).max(CHOICES_MAX).default([]);

/** Which entries of the audit log. */
export const auditFilter = z.object({
  /** Null for every merchant the caller may see, and the workspace itself where they may. */
  merchantId: z.uuid().nullable().default(null),
  /** Only what was done to the workspace itself. */
  workspace: z.boolean().default(false),
  actors: words,
  actions: words,
  objectTypes: words,
  objectId: z.string().max(200).nullable().default(null),
  from: z.date().nullable().default(null),
  to: z.date().nullable().default(null),
});

/**
 * The chains a call is about. Throws FORBIDDEN for a merchant whose log the caller may not read, and for the workspace's where they
 * may not read all.
 */
export function auditTenants(
  ctx: { readonly session: StaffSession; readonly merchantIds: readonly string[] },
  { merchantId, workspace }: { readonly merchantId: string | null; readonly workspace: boolean },
): string[] {
  const reach = reachOf(ctx.session, 'audit:read', ctx.merchantIds);
  if (workspace) {
    if (reach.everywhere) return [NIL_ID];
    throw new TRPCError({
      code: 'FORBIDDEN',
      message: 'Your role does not cover the workspace itself. Ask an owner of all merchants.',
    });
  }
  if (merchantId !== null) {
    if (ctx.merchantIds.includes(merchantId)) return [merchantId];
    throw new TRPCError({ code: 'FORBIDDEN', message: 'You have no access to this merchant.' });
  }
  return [...(reach.everywhere ? [NIL_ID] : []), ...ctx.merchantIds];
}

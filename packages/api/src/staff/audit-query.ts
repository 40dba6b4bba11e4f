import { NIL_ID } from '@switchyard/db';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { merchantScopeOf } from './merchants-where.ts';
import type { StaffSession } from './staff-session.ts';

const CHOICES_MAX = 100;
const words = z.array(z.string().max(200)).max(CHOICES_MAX).default([]);

/** The filter of audit log entries. */
export const auditFilter = z.object({
  /** Null for every merchant the caller may read, and the workspace itself where they may read that. */
  merchantId: z.uuid().nullable().default(null),
  /** Only entries of the workspace itself. */
  workspace: z.boolean().default(false),
  actors: words,
  actions: words,
  objectTypes: words,
  objectId: z.string().max(200).nullable().default(null),
  from: z.date().nullable().default(null),
  to: z.date().nullable().default(null),
});

/**
 * The hash chains of a call. Throws FORBIDDEN for a merchant whose log the caller may not read, and for the workspace's where they
 * may not read all.
 */
export function auditTenants(
  ctx: { readonly session: StaffSession; readonly merchantIds: readonly string[] },
  { merchantId, workspace }: { readonly merchantId: string | null; readonly workspace: boolean },
): string[] {
  const merchantScope = merchantScopeOf(ctx.session, 'audit:read', ctx.merchantIds);
  if (workspace) {
    if (merchantScope.everywhere) return [NIL_ID];
    throw new TRPCError({
      code: 'FORBIDDEN',
      message: 'Your role does not cover the workspace itself. Ask an owner of all merchants.',
    });
  }
  if (merchantId !== null) {
    if (ctx.merchantIds.includes(merchantId)) return [merchantId];
    throw new TRPCError({ code: 'FORBIDDEN', message: 'You have no access to this merchant.' });
  }
  return [...(merchantScope.everywhere ? [NIL_ID] : []), ...ctx.merchantIds];
}

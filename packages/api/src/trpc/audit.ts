import { NIL_ID } from '@switchyard/db';
import { momentValue } from '@switchyard/db/moments';
import {
  type AuditScope,
  countAudit,
  findAudit,
  listAudit,
  listAuditChoices,
  listAuditHeads,
  readableChains,
  verifyAudit,
} from '@switchyard/staff/audit-log';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { auditFilter, FORBIDDEN_CHAINS } from '../audit-filter.ts';
import { foundOrThrow } from './inputs.ts';
import { permitted, router } from './procedure.ts';

const reading = permitted('audit:read');

const head = z.object({
  position: z.int().min(0).max(2_147_483_647),
  hash: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits'),
});
const scope = auditFilter.pick({ merchantId: true, workspace: true });

/** The hash chains of a call. Throws FORBIDDEN for one that the caller may not read. */
function auditTenants(ctx: Parameters<typeof readableChains>[0], scope: AuditScope): readonly string[] {
  const chains = readableChains(ctx, scope);
  if (chains.kind === 'readable') return chains.tenantIds;
  throw new TRPCError({ code: 'FORBIDDEN', message: FORBIDDEN_CHAINS[chains.kind] });
}

/** tRPC procedures of the audit log. */
export const audit = router({
  /** A page of the log, newest first unless the oldest are wanted first. */
  list: reading
    .input(
      auditFilter.extend({
        newestFirst: z.boolean().default(true),
        cursor: z.object({ createdAt: momentValue, entryId: z.uuid().toLowerCase() }).nullish(),
        limit: z.int().min(1).max(200).default(50),
      }),
    )
    .query(({ ctx, input: { merchantId, workspace, cursor, ...filter } }) => {
      const tenantIds = auditTenants(ctx, { merchantId, workspace });
      return listAudit(ctx.switchyard, { ...filter, tenantIds, after: cursor ?? null });
    }),
  /** The number of entries: exact to 10,000, and without a filter at any length; null where counting took too long. */
  count: reading.input(auditFilter).query(({ ctx, input: { merchantId, workspace, ...filter } }) => {
    return countAudit(ctx.switchyard, { ...filter, tenantIds: auditTenants(ctx, { merchantId, workspace }) });
  }),
  /** One entry. */
  byId: reading.input(z.object({ entryId: z.uuid().toLowerCase() })).query(async ({ ctx, input: { entryId } }) => {
    const tenantIds = auditTenants(ctx, { merchantId: null, workspace: false });
    const found = await findAudit(ctx.switchyard, { tenantIds, entryId });
    return foundOrThrow(found, 'There is no such entry, or you have no access to it.');
  }),
  /** The filter options of the log. */
  choices: reading.input(scope).query(({ ctx, input }) => listAuditChoices(ctx.switchyard, auditTenants(ctx, input))),
  /** The hash chains the caller may read, with their recorded lengths; `merchantId` null is the workspace's own. */
  chains: reading.input(scope).query(async ({ ctx, input }) => {
    const { configuration } = ctx.switchyard.resources;
    const heads = await listAuditHeads(ctx.switchyard, auditTenants(ctx, input));
    return heads
      .map(({ tenantId, ...rest }) => ({
        ...rest,
        merchantId: tenantId === NIL_ID ? null : tenantId,
        name: configuration.merchant(tenantId)?.merchant.name ?? 'Workspace',
      }))
      .toSorted((a, b) => Number(a.merchantId !== null) - Number(b.merchantId !== null) || a.name.localeCompare(b.name, 'en'));
  }),
  /** Verifies a chain, some thousands of entries a call: returns where to resume, or the result. */
  verify: reading
    .input(
      z.object({
        merchantId: z.uuid().toLowerCase().nullable(),
        from: head.nullable().default(null),
        kept: head.nullable().default(null),
      }),
    )
    .query(({ ctx, input: { merchantId, from, kept } }) => {
      const [tenantId] = auditTenants(ctx, { merchantId, workspace: merchantId === null });
      return verifyAudit(ctx.switchyard, { tenantId: tenantId ?? NIL_ID, from, kept });
    }),
});

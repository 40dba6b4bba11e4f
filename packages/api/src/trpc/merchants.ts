import { isUsable } from '@switchyard/merchants/api-keys';
import {
  type CreateMerchantOutcome,
  createMerchant,
  findMerchant,
  type UpdateMerchantOutcome,
  updateMerchant,
} from '@switchyard/merchants/console/merchants';
import { countStates, describeHealth } from '@switchyard/provider-health/console';
import { countOpenDiscrepancies } from '@switchyard/reconciliation/discrepancies';
import { may, merchantsWhere } from '@switchyard/staff/permissions';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { foundOrThrow, missing, oneMerchant } from './inputs.ts';
import { permitted, router, type TrpcContext } from './procedure.ts';

const NO_MERCHANT = 'There is no such merchant, or you have no access to it.';
const LISTED_MAX = 200;

/** Types only: range problems are returned per field, not thrown. */
const settings = {
  name: z.string().max(1_000),
  defaultRedirectUrl: z.string().max(4_000).nullable(),
  sessionMinutes: z.number(),
  timeZone: z.string().max(100),
  refundDuplicates: z.boolean(),
};

/** tRPC procedures of merchants. */
export const merchants = router({
  /** The merchants the caller may see, by name. */
  list: permitted('merchant:read').query(({ ctx }) => {
    const { configuration } = ctx.switchyard.resources;
    return ctx.merchantIds
      .flatMap((merchantId) => configuration.merchant(merchantId)?.merchant ?? [])
      .map(({ id, name, merchantNumber }) => ({ merchantId: id, name, merchantNumber }))
      .sort((a, b) => a.name.localeCompare(b.name, 'en'));
  }),
  /** The same with their setup, at most 200 whose name or number contains the text. */
  overview: permitted('merchant:read')
    .input(z.object({ mode: z.enum(['test', 'live']), search: z.string().max(200).default('') }))
    .query(({ ctx, input: { mode, search } }) => {
      const { configuration } = ctx.switchyard.resources;
      const wanted = search.trim().toLowerCase();
      const found = ctx.merchantIds
        .flatMap((merchantId) => configuration.merchant(merchantId) ?? [])
        .filter(({ merchant }) => `${merchant.name} ${merchant.merchantNumber}`.toLowerCase().includes(wanted))
        .sort((a, b) => a.merchant.name.localeCompare(b.merchant.name, 'en'));
      const now = ctx.switchyard.now();
      const rows = found.slice(0, LISTED_MAX).map(({ merchant, keys, accounts, ruleSets }) => ({
        ...profileOf(merchant),
        keys: keys.filter((key) => key.mode === mode && isUsable(key, now)).length,
        accounts: accounts.filter((account) => account.mode === mode && account.enabled).length,
        ruleSetVersion: ruleSets[mode]?.version ?? null,
      }));
      return { merchants: rows, total: found.length };
    }),
  /**
   * Problems of each merchant now, as far as the caller may see them: gateway accounts that are down or degraded, and open
   * discrepancies; null where they may not.
   */
  figures: permitted('merchant:read')
    .input(z.object({ mode: z.enum(['test', 'live']) }))
    .query(async ({ ctx, input: { mode } }) => {
      const { payments, resources } = ctx.switchyard;
      const withHealth = merchantsWhere(ctx.session, 'health:read', ctx.merchantIds);
      const withReports = merchantsWhere(ctx.session, 'report:read', ctx.merchantIds);
      const { accounts } = await describeHealth(payments, { merchantIds: withHealth, mode });
      const accountsOf = Map.groupBy(accounts, ({ merchantId }) => merchantId);
      const open = withReports.length === 0 ? [] : await countOpenDiscrepancies(resources.database, withReports);
      return ctx.merchantIds.map((merchantId) => {
        const own = open.filter((row) => row.merchantId === merchantId && row.mode === mode);
        return {
          merchantId,
          health: withHealth.includes(merchantId) ? countStates(accountsOf.get(merchantId) ?? []) : null,
          openDiscrepancies: withReports.includes(merchantId) ? own.reduce((sum, { count }) => sum + count, 0) : null,
        };
      });
    }),
  /** One merchant with its settings. */
  byId: permitted('merchant:read')
    .input(z.object({ merchantId: z.uuid().toLowerCase() }))
    .query(async ({ ctx, input }) => {
      const found = await findMerchant(ctx.switchyard, oneMerchant(ctx, input.merchantId));
      return profileOf(foundOrThrow(found, NO_MERCHANT));
    }),
  /** Creates a merchant. Requires the permission for all merchants: a role for one merchant does not suffice. */
  create: permitted('merchant:create')
    .input(
      z.object({
        name: settings.name,
        merchantNumber: z.string().max(100).exactOptional(),
        defaultRedirectUrl: settings.defaultRedirectUrl.exactOptional(),
        sessionMinutes: settings.sessionMinutes.exactOptional(),
        timeZone: settings.timeZone.exactOptional(),
        refundDuplicates: settings.refundDuplicates.exactOptional(),
      }),
    )
    .mutation(async ({ ctx, input }) => {
      if (!ctx.session.grants.some(({ merchantId, role }) => merchantId === null && may(role, 'merchant:create'))) {
        const message = 'Only owners of the whole workspace can add merchants.';
        throw new TRPCError({ code: 'FORBIDDEN', message });
      }
      return created(await createMerchant(ctx.switchyard, { ...input, actor: actorOf(ctx) }));
    }),
  /** Changes settings, for new payments at once. Omitted fields stay unchanged. */
  update: permitted('merchant:update')
    .input(
      z.object({
        merchantId: z.uuid().toLowerCase(),
        changes: z.object({
          name: settings.name.exactOptional(),
          defaultRedirectUrl: settings.defaultRedirectUrl.exactOptional(),
          sessionMinutes: settings.sessionMinutes.exactOptional(),
          timeZone: settings.timeZone.exactOptional(),
          refundDuplicates: settings.refundDuplicates.exactOptional(),
          holdoutPercent: z.number().exactOptional(),
          agentsMayWriteLive: z.boolean().exactOptional(),
        }),
      }),
    )
    .mutation(async ({ ctx, input: { merchantId, changes } }) => {
      const command = { merchantId: oneMerchant(ctx, merchantId), changes, actor: actorOf(ctx) };
      return updated(await updateMerchant(ctx.switchyard, command));
    }),
});

type Merchant = NonNullable<Awaited<ReturnType<typeof findMerchant>>>;

function actorOf({ session }: { readonly session: NonNullable<TrpcContext['session']> }): string {
  return `staff:${session.staffId}`;
}

/** The public fields of a merchant. */
function profileOf({ id, merchantNumber, name, createdAt, updatedAt, ...merchant }: Merchant) {
  const { defaultRedirectUrl, sessionMinutes, timeZone, refundDuplicates, rulesNeedApproval, ...more } = merchant;
  const { holdoutPercent, agentsMayWriteLive } = more;
  const rules = { rulesNeedApproval, holdoutPercent, agentsMayWriteLive };
  const policies = { defaultRedirectUrl, sessionMinutes, timeZone, refundDuplicates, ...rules };
  return { merchantId: id, merchantNumber, name, ...policies, createdAt, updatedAt };
}

function created(outcome: CreateMerchantOutcome) {
  return outcome.kind === 'created' ? { kind: outcome.kind, merchant: profileOf(outcome.merchant) } : outcome;
}

function updated(outcome: UpdateMerchantOutcome) {
  if (outcome.kind === 'not_found') return missing(NO_MERCHANT);
  return outcome.kind === 'updated' ? { kind: outcome.kind, merchant: profileOf(outcome.merchant) } : outcome;
}

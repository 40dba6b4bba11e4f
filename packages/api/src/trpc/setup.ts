import { MAPPINGS } from '@switchyard/compat/mappings';
import { describeSetup, dismissSetup, NO_MERCHANT_YET, type Setup } from '@switchyard/merchants/console/setup';
import { listDirectPayments } from '@switchyard/reconciliation/direct-payments';
import { z } from 'zod';
import { oneMerchant } from './inputs.ts';
import { permitted, resolveMerchants, router } from './procedure.ts';

/** Those who change merchants set them up. */
const settingUp = permitted('merchant:update');

/** tRPC procedures of setting up a merchant. */
export const setup = router({
  /**
   * How far a merchant is set up. Without one named, of the only merchant there is, or of a workspace without any; null where there are
   * several.
   */
  read: settingUp
    .input(z.object({ merchantId: z.uuid().toLowerCase().nullable().default(null) }))
    .query(async ({ ctx, input }): Promise<Setup | null> => {
      const known = ctx.switchyard.resources.configuration.merchants();
      if (known.length === 0) return NO_MERCHANT_YET;
      const [only] = known.length === 1 ? ctx.merchantIds : [];
      const merchantId = input.merchantId === null ? only : oneMerchant(ctx, input.merchantId);
      return merchantId === undefined ? null : describeSetup(ctx.switchyard, { merchantId, staffId: ctx.session.staffId });
    }),
  /** Hides the checklist of a merchant from the caller, or shows it again. */
  dismiss: settingUp
    .input(z.object({ merchantId: z.uuid().toLowerCase(), dismissed: z.boolean() }))
    .mutation(async ({ ctx, input: { merchantId, dismissed } }) => {
      oneMerchant(ctx, merchantId);
      await dismissSetup(ctx.switchyard, { merchantId, staffId: ctx.session.staffId, dismissed });
    }),
});

const input = z.object({
  /** Null for every merchant the caller may see. */
  merchantId: z.uuid().toLowerCase().nullable().default(null),
  mode: z.enum(['test', 'live']),
});

/** tRPC procedures of the page on which merchants' code is switched over. */
export const switchOver = router({
  /** Calls and fields of each dialect that are answered, refused or different. */
  mappings: permitted('gateway:read').query(() => MAPPINGS),
  /** Payments that reached each gateway account in the last 7 days without coming through here, by its webhooks and by its statements. */
  direct: permitted('gateway:read')
    .input(input)
    .query(({ ctx, input: { merchantId, mode } }) =>
      listDirectPayments(ctx.switchyard.payments, { merchantIds: resolveMerchants(ctx, merchantId), mode }),
    ),
});

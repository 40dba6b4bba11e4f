import { describeSetup, dismissSetup, NO_MERCHANT_YET, type Setup } from '@switchyard/merchants/console/setup';
import { z } from 'zod';
import { permitted, router } from './procedure.ts';
import { oneMerchant } from './rules-input.ts';

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

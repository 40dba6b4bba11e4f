import { MAPPINGS } from '@switchyard/compat/mappings';
import { listDirectPayments } from '@switchyard/reconciliation/direct-payments';
import { z } from 'zod';
import { permitted, resolveMerchants, router } from './procedure.ts';

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

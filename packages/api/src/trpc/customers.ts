import { CUSTOMER_MATCHES, describeCustomer } from '@switchyard/payments/console/customers';
import { z } from 'zod';
import { foundOrThrow } from './inputs.ts';
import { permitted, router } from './procedure.ts';

const NO_PAYMENT = 'There is no such payment, or you have no access to it.';

/** tRPC procedures of customers. */
export const customers = router({
  /** The customer of a payment, which names them so that no address does: their payments, failed tries, refunds and disputes. */
  byPayment: permitted('payment:read')
    .input(z.object({ paymentId: z.string().max(100), match: z.enum(CUSTOMER_MATCHES).default('any') }))
    .query(async ({ ctx, input }) => {
      const { database, configuration } = ctx.switchyard.resources;
      const found = foundOrThrow(
        await database.inSnapshot((snapshot) => describeCustomer(snapshot, { ...input, merchantIds: ctx.merchantIds })),
        NO_PAYMENT,
      );
      return { ...found, merchantName: configuration.merchant(found.merchantId)?.merchant.name ?? found.merchantId };
    }),
});

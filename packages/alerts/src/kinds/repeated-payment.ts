import { listUnresolvedRepeats } from '@switchyard/payments/duplicates';
import { formatMoney } from '@switchyard/routing';
import { z } from 'zod';
import { incidentKind } from './kind.ts';

/** Orders that were paid again by a new payment, a condition each: which of the two to refund is asked of each customer. */
export const repeatedPayment = incidentKind({
  title: 'Order paid twice',
  severity: 'warning',
  permission: 'payment:read',
  sendsRecovery: false,
  isOwed: true,
  /** A payment that repeats an earlier one of the same customer and amount; both are paid. */
  facts: z.object({
    of: z.literal('repeat'),
    paymentId: z.string(),
    merchantOrderId: z.string(),
    repeatsOrderId: z.string(),
    amount: z.string(),
    currency: z.string(),
  }),
  async find({ resources }, { merchantIds, now }) {
    const rows = await listUnresolvedRepeats(resources.database, merchantIds, now);
    return rows.map(({ merchantId, mode, foundAt, repeatsId, ...repeat }) => ({
      merchantId,
      mode,
      kind: 'repeated_payment' as const,
      // A payment may repeat several.
      subject: `${repeat.paymentId}/${repeatsId}`,
      since: foundAt,
      facts: { of: 'repeat' as const, ...repeat },
    }));
  },
  describe({ paymentId, merchantOrderId, repeatsOrderId, amount, currency }) {
    const sum = formatMoney(currency, amount);
    return {
      title: `${sum} probably paid twice`,
      why: `Order ${merchantOrderId} was begun while ${repeatsOrderId}, of the same customer and amount, did not look paid; both are paid. Ask the customer, or refund one.`,
      figures: [{ label: 'Amount', value: sum }],
      action: { path: `/payments/${paymentId}`, query: {}, label: 'View payment', needs: 'payment:refund' },
    };
  },
});

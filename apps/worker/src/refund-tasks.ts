import type { PaymentsContext } from '@switchyard/payments/context';
import { followUpRefundWebhook, refundDuplicate, sendRefund } from '@switchyard/payments/refunds';
import type { TaskList } from 'graphile-worker';
import { z } from 'zod';

const refundSchema = z.object({ merchantId: z.uuid(), refundId: z.uuid() });
const duplicateSchema = z.object({ merchantId: z.uuid(), duplicateChargeId: z.uuid() });
const webhookSchema = z.object({
  merchantId: z.uuid(),
  webhookId: z.uuid(),
  gatewayRefundId: z.string().max(100).nullable(),
});

/** Tasks of refunds, by name. */
export function refundTasks(payments: PaymentsContext): TaskList {
  return {
    'send-refund': (payload) => sendRefund(payments, refundSchema.parse(payload)),
    'follow-refund-webhook': (payload) => followUpRefundWebhook(payments, webhookSchema.parse(payload)),
    'refund-duplicate': async (payload) => {
      await refundDuplicate(payments, duplicateSchema.parse(payload));
    },
  };
}

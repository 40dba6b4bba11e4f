import type { PaymentsContext } from '@switchyard/payments/context';
import { followUpRefundWebhook, refundDuplicate, sendRefund } from '@switchyard/payments/refunds';
import { followUpDisputeWebhook } from '@switchyard/payments/reversals';
import type { TaskList } from 'graphile-worker';
import { z } from 'zod';

const refundSchema = z.object({ merchantId: z.uuid(), refundId: z.uuid() });
const duplicateSchema = z.object({ merchantId: z.uuid(), duplicateChargeId: z.uuid() });
const webhookSchema = z.object({
  merchantId: z.uuid(),
  webhookId: z.uuid(),
  gatewayRefundId: z.string().max(100).nullable(),
});
const disputeSchema = z.object({
  merchantId: z.uuid(),
  webhookId: z.uuid(),
  attemptId: z.uuid(),
  gatewayDisputeId: z.string().max(100),
});

/** Tasks of refunds and disputes, by name. */
export function refundTasks(payments: PaymentsContext): TaskList {
  return {
    'send-refund': (payload) => sendRefund(payments, refundSchema.parse(payload)),
    'follow-refund-webhook': (payload) => followUpRefundWebhook(payments, webhookSchema.parse(payload)),
    'follow-dispute-webhook': (payload) => followUpDisputeWebhook(payments, disputeSchema.parse(payload)),
    'refund-duplicate': async (payload) => {
      await refundDuplicate(payments, duplicateSchema.parse(payload));
    },
  };
}

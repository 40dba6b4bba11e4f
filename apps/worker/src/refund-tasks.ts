import type { PaymentsContext } from '@switchyard/payments/context';
import { refundDuplicate, sendRefund } from '@switchyard/payments/refunds';
import type { TaskList } from 'graphile-worker';
import { z } from 'zod';

const refundSchema = z.object({ merchantId: z.uuid(), refundId: z.uuid() });
const duplicateSchema = z.object({ merchantId: z.uuid(), duplicateChargeId: z.uuid() });

/** Tasks of refunds, by name. */
export function refundTasks(payments: PaymentsContext): TaskList {
  return {
    'send-refund': (payload) => sendRefund(payments, refundSchema.parse(payload)),
    'refund-duplicate': async (payload) => {
      await refundDuplicate(payments, duplicateSchema.parse(payload));
    },
  };
}

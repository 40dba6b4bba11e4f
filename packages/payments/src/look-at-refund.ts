import { findRefund, isUuid, type Refund } from '@switchyard/db';
import type { PaymentsContext } from './context.ts';
import { followRefund } from './follow-refunds.ts';

/** Asks the gateway about a refund of one of these merchants now, without waiting for its turn. Null when none has it. */
export async function lookAtRefund(
  context: PaymentsContext,
  { merchantIds, refundId }: { readonly merchantIds: readonly string[]; readonly refundId: string },
): Promise<Refund | null> {
  if (!isUuid(refundId)) return null;
  for (const merchantId of merchantIds) {
    const refund = await findRefund(context.resources.database, merchantId, refundId);
    if (refund !== null) return followRefund(context, refund, 'staff');
  }
  return null;
}

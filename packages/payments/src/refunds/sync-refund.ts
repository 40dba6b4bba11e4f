import type { Refund } from '@switchyard/db/client';
import type { PaymentsContext } from '../context.ts';
import { findRefundOf } from './describe-refundable.ts';
import { followRefund } from './follow-refunds.ts';

/** Asks the gateway about a refund of one of these merchants now, without waiting for its turn. Null when none has it. */
export async function syncRefund(
  context: PaymentsContext,
  query: { readonly merchantIds: readonly string[]; readonly refundId: string },
): Promise<Refund | null> {
  const refund = await findRefundOf(context, query);
  return refund === null ? null : followRefund(context, refund, 'staff');
}

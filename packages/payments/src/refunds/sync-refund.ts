import type { Refund } from '@switchyard/db/client';
import type { PaymentsContext } from '../context.ts';
import { findRefundOf } from './describe-refundable.ts';
import { followRefund } from './follow-refunds.ts';

/** Syncs a refund of one of these merchants with its gateway now, before it is due. Null when none has it. */
export async function syncRefund(
  context: PaymentsContext,
  query: { readonly merchantIds: readonly string[]; readonly refundId: string },
): Promise<Refund | null> {
  const refund = await findRefundOf(context, query);
  return refund === null ? null : followRefund(context, refund, 'staff');
}

import type { DisputeState, Prisma } from '@switchyard/db/client';

/** States in which the money of a dispute goes back to the customer. */
export const LOST_STATES = ['LOST', 'ACCEPTED', 'EXPIRED'] as const satisfies readonly DisputeState[];

/** True if a dispute of an attempt's money is open or lost. */
export async function isDisputed(
  transaction: Prisma.TransactionClient,
  { merchantId, paymentId, attemptId }: { readonly merchantId: string; readonly paymentId: string; readonly attemptId: string },
): Promise<boolean> {
  const state = { in: ['NEEDS_RESPONSE', 'UNDER_REVIEW', ...LOST_STATES] satisfies DisputeState[] };
  return (await transaction.dispute.count({ where: { merchantId, paymentId, attemptId, state } })) > 0;
}

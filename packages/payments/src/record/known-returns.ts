import type { DisputeState, Prisma } from '@switchyard/db/client';
import { LOST_STATES } from './decide-reversal.ts';
import type { RefundedMoney } from './refund-queries.ts';

/** The refunded or reserved amount of one transaction: the sum of its refunds that have not failed. */
export async function sumRefundsOf(
  transaction: Prisma.TransactionClient,
  money: { merchantId: string; paymentId: string } & Pick<RefundedMoney, 'accountId' | 'transactionId'>,
): Promise<bigint> {
  const { merchantId, paymentId, accountId, transactionId } = money;
  const { _sum } = await transaction.refund.aggregate({
    where: { merchantId, paymentId, accountId, transactionId, state: { not: 'FAILED' } },
    _sum: { amount: true },
  });
  return _sum.amount ?? 0n;
}

/** True if a dispute of an attempt's money is open or lost. */
export async function isDisputed(
  transaction: Prisma.TransactionClient,
  { merchantId, paymentId, attemptId }: { readonly merchantId: string; readonly paymentId: string; readonly attemptId: string },
): Promise<boolean> {
  const state = { in: ['NEEDS_RESPONSE', 'UNDER_REVIEW', ...LOST_STATES] satisfies DisputeState[] };
  return (await transaction.dispute.count({ where: { merchantId, paymentId, attemptId, state } })) > 0;
}

import type { Prisma } from '@switchyard/db/client';
import type { RefundedMoney } from './queries.ts';

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

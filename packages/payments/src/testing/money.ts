import type { TestMerchant } from '@switchyard/runtime/testing';
import type { TestPayments } from './context.ts';
import { recordPayment } from './past.ts';

interface Received {
  /** As an exact decimal in main units. */
  readonly amount: string;
  /** `UNPAID` for money that did not match the order. */
  readonly state: 'PAID' | 'UNPAID';
}

/** Records a payment of NGN 2,500 whose only attempt received money at `paystack-main`. */
export async function recordMoney(context: TestPayments, merchant: TestMerchant, { amount, state }: Received) {
  const { merchantId } = merchant;
  const { paymentId } = await recordPayment(context, merchantId);
  const { prisma } = context.database;
  const { id: attemptId, accountId, gateway, reference } = await prisma.attempt.findFirstOrThrow({ where: { paymentId } });
  const transactionId = `t-${attemptId}`;
  await prisma.attempt.update({
    where: { merchantId_id: { merchantId, id: attemptId } },
    data: { state, transactionId, receivedAmount: amount, receivedCurrency: 'NGN' },
  });
  return { merchantId, paymentId, attemptId, accountId, gateway, reference, transactionId };
}

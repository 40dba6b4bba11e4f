import type { TestPayments } from './context.ts';
import { recordPayment } from './past.ts';

/** Transaction of {@link recordPaidPayment}. */
export const PAID_TRANSACTION = '302961';

/** A payment of NGN 2,500 that is paid by its one attempt. */
export async function recordPaidPayment(context: TestPayments, merchantId: string): Promise<{ readonly paymentId: string }> {
  const { paymentId } = await recordPayment(context, merchantId, { status: 'SUCCESS' });
  await context.database.prisma.attempt.updateMany({
    where: { merchantId, paymentId },
    data: { state: 'PAID', receivedAmount: 2_500, receivedCurrency: 'NGN', transactionId: PAID_TRANSACTION },
  });
  return { paymentId };
}

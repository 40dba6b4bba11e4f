import type { Mode, Prisma } from './generated/client.ts';
import { enqueueJob } from './jobs.ts';

/** Money received for a payment that had already been paid. */
export interface NewDuplicateCharge {
  readonly duplicateChargeId: string;
  readonly mode: Mode;
  readonly attemptId: string;
  readonly accountId: string;
  readonly gateway: string;
  readonly reference: string;
  /** The gateway's own id of the transaction: the same money is recorded once. */
  readonly transactionId: string;
  /** Exact decimal of the main unit. */
  readonly amount: string;
  readonly currency: string;
  /** Whether it is to be given back without anybody asking. */
  readonly refund: boolean;
}

/** Records a duplicate charge inside the caller's transaction; false when this very money is on record already. */
export async function insertDuplicateCharge(
  transaction: Prisma.TransactionClient,
  { merchantId, paymentId }: { merchantId: string; paymentId: string },
  { duplicateChargeId, refund, ...charge }: NewDuplicateCharge,
  now: Date,
): Promise<boolean> {
  const { count } = await transaction.duplicateCharge.createMany({
    data: [{ ...charge, merchantId, paymentId, id: duplicateChargeId, state: 'OPEN', createdAt: now, updatedAt: now }],
    skipDuplicates: true,
  });
  if (count === 0) return false;
  if (refund) await enqueueJob(transaction, 'refund-duplicate', { merchantId, duplicateChargeId });
  return true;
}

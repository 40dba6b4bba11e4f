import type { Database } from '@switchyard/db';
import { enqueueJob } from '@switchyard/db';
import type { DuplicateCharge, DuplicateChargeState, Mode, Prisma } from '@switchyard/db/client';

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
  /** True if it is refunded automatically. */
  readonly refund: boolean;
}

/** Records a duplicate charge inside the caller's transaction; false when the same money is already recorded. */
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

/** {@link findDuplicateCharge} inside the caller's transaction. */
export function readDuplicateCharge(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  duplicateChargeId: string,
): Promise<DuplicateCharge | null> {
  return transaction.duplicateCharge.findUnique({ where: { merchantId_id: { merchantId, id: duplicateChargeId } } });
}

/** The duplicate charge by its merchant and id; null when there is none. */
export function findDuplicateCharge(
  database: Database,
  merchantId: string,
  duplicateChargeId: string,
): Promise<DuplicateCharge | null> {
  return readDuplicateCharge(database.prisma, merchantId, duplicateChargeId);
}

/** Changes of a duplicate charge. Omitted fields stay unchanged. */
export interface DuplicateChargeChange {
  readonly state?: DuplicateChargeState;
  readonly refundId?: string;
  readonly note?: string | null;
  readonly resolvedBy?: string | null;
  readonly resolvedAt?: Date | null;
}

/** Changes a duplicate charge that is in `from`; false when it is not, and nothing was changed. */
export async function changeDuplicateCharge(
  transaction: Prisma.TransactionClient,
  { merchantId, duplicateChargeId }: { merchantId: string; duplicateChargeId: string },
  from: DuplicateChargeState,
  change: DuplicateChargeChange,
  now: Date,
): Promise<boolean> {
  const { count } = await transaction.duplicateCharge.updateMany({
    where: { merchantId, id: duplicateChargeId, state: from },
    data: { ...change, updatedAt: now },
  });
  return count === 1;
}

/** The duplicate charge that a refund returns, inside the caller's transaction. */
export function findDuplicateChargeOfRefund(
  transaction: Prisma.TransactionClient,
  { merchantId, paymentId, refundId }: { merchantId: string; paymentId: string; refundId: string },
): Promise<DuplicateCharge | null> {
  return transaction.duplicateCharge.findFirst({ where: { merchantId, paymentId, refundId } });
}

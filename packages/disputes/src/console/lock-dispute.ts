import type { Dispute, Prisma } from '@switchyard/db/client';

/** Locks a dispute until the transaction ends, so that it is answered once; null when the merchant has no such dispute. */
export async function lockDispute(
  transaction: Prisma.TransactionClient,
  { merchantId, disputeId }: { readonly merchantId: string; readonly disputeId: string },
): Promise<Dispute | null> {
  await transaction.$queryRaw`
    SELECT id FROM dispute WHERE merchant_id = ${merchantId}::uuid AND id = ${disputeId}::uuid FOR UPDATE`;
  return transaction.dispute.findUnique({ where: { merchantId_id: { merchantId, id: disputeId } } });
}

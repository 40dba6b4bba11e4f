import type { Database } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';

const ROWS_MAX = 10_000;

/** The answers to disputes of these payments, and the names of the files that belong to them. */
export async function readDisputeAnswersOf({ prisma }: Database, merchantId: string, paymentIds: readonly string[]) {
  const disputeIds = await idsOf(prisma, merchantId, paymentIds);
  const where = { merchantId, disputeId: { in: disputeIds } };
  const responses = await prisma.disputeResponse.findMany({ where, orderBy: { id: 'asc' }, take: ROWS_MAX });
  const evidence = await prisma.disputeEvidence.findMany({
    where,
    orderBy: { id: 'asc' },
    take: ROWS_MAX,
    select: { disputeId: true, fileName: true, mediaType: true, sizeBytes: true, createdAt: true },
  });
  return { responses, evidence };
}

/** Replaces what people wrote in answers to disputes of these payments, and deletes the files. Returns how many answers. */
export async function eraseDisputeAnswers(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  paymentIds: readonly string[],
  replacement: string,
): Promise<number> {
  const disputeIds = await idsOf(transaction, merchantId, paymentIds);
  await transaction.disputeEvidence.deleteMany({ where: { merchantId, disputeId: { in: disputeIds } } });
  return transaction.$executeRaw`
    UPDATE dispute_response SET message = ${replacement}, failure = CASE WHEN failure IS NULL THEN NULL ELSE ${replacement} END,
      customer_name = CASE WHEN customer_name IS NULL THEN NULL ELSE ${replacement} END,
      service = CASE WHEN service IS NULL THEN NULL ELSE ${replacement} END
    WHERE merchant_id = ${merchantId}::uuid AND dispute_id = ANY (${disputeIds}::uuid[])`;
}

async function idsOf(
  client: Pick<Prisma.TransactionClient, 'dispute'>,
  merchantId: string,
  paymentIds: readonly string[],
): Promise<string[]> {
  const where = { merchantId, paymentId: { in: [...paymentIds] } };
  return (await client.dispute.findMany({ where, select: { id: true } })).map(({ id }) => id);
}

import type { Database } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';

const ROWS_MAX = 10_000;

/** The disputes of these payments with their answers and files, whose content is in base64. */
export async function readDisputeAnswersOf({ prisma }: Database, merchantId: string, paymentIds: readonly string[]) {
  const ofPayments = { merchantId, paymentId: { in: [...paymentIds] } };
  const disputes = await prisma.dispute.findMany({ where: ofPayments, orderBy: { id: 'asc' }, take: ROWS_MAX });
  const where = { merchantId, disputeId: { in: disputes.map(({ id }) => id) } };
  const responses = await prisma.disputeResponse.findMany({ where, orderBy: { id: 'asc' }, take: ROWS_MAX });
  const evidence = await prisma.disputeEvidence.findMany({
    where,
    orderBy: { id: 'asc' },
    take: ROWS_MAX,
    select: { disputeId: true, fileName: true, mediaType: true, sizeBytes: true, createdAt: true, content: true },
  });
  const files = evidence.map(({ content, ...file }) => ({ ...file, content: Buffer.from(content).toString('base64') }));
  return { disputes, responses, evidence: files };
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

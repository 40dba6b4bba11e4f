import type { Database } from '@switchyard/db';
import type { Prisma, SettlementDiscrepancy } from '@switchyard/db/client';

const ROWS_MAX = 100_000;

/** The discrepancies about these payments. */
export function readSettlementDiscrepanciesOf(
  { prisma }: Database,
  merchantId: string,
  paymentIds: readonly string[],
): Promise<SettlementDiscrepancy[]> {
  return prisma.settlementDiscrepancy.findMany({
    where: { merchantId, paymentId: { in: [...paymentIds] } },
    orderBy: { id: 'asc' },
    take: ROWS_MAX,
  });
}

/** Replaces what people wrote about these payments' discrepancies. Returns how many discrepancies. */
export function eraseSettlementTexts(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  paymentIds: readonly string[],
  replacement: string,
): Promise<number> {
  return transaction.$executeRaw`
    UPDATE settlement_discrepancy SET note = CASE WHEN note IS NULL THEN NULL ELSE ${replacement} END,
      resolution = CASE WHEN resolution IS NULL THEN NULL ELSE ${replacement} END
    WHERE merchant_id = ${merchantId}::uuid AND payment_id = ANY (${[...paymentIds]}::uuid[])
      AND (note IS NOT NULL OR resolution IS NOT NULL)`;
}

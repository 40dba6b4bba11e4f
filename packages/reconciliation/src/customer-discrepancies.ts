import type { Database } from '@switchyard/db';
import type { Prisma, ReconciliationDiscrepancy } from '@switchyard/db/client';

const ROWS_MAX = 100_000;

/** The discrepancies about these payments. */
export function readDiscrepanciesOf(
  { prisma }: Database,
  merchantId: string,
  paymentIds: readonly string[],
): Promise<ReconciliationDiscrepancy[]> {
  return prisma.reconciliationDiscrepancy.findMany({
    where: { merchantId, paymentId: { in: [...paymentIds] } },
    orderBy: { id: 'asc' },
    take: ROWS_MAX,
  });
}

/** Replaces what people wrote about these payments' discrepancies; the entries that differ stay. Returns how many discrepancies. */
export function eraseDiscrepancyTexts(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  paymentIds: readonly string[],
  replacement: string,
): Promise<number> {
  return transaction.$executeRaw`
    UPDATE reconciliation_discrepancy SET note = CASE WHEN note IS NULL THEN NULL ELSE ${replacement} END,
      resolution = CASE WHEN resolution IS NULL THEN NULL ELSE ${replacement} END
    WHERE merchant_id = ${merchantId}::uuid AND payment_id = ANY (${[...paymentIds]}::uuid[])
      AND (note IS NOT NULL OR resolution IS NOT NULL)`;
}

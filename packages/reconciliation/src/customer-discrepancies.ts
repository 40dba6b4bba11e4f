import type { Database } from '@switchyard/db';
import type { ReconciliationDiscrepancy } from '@switchyard/db/client';
import { eraseTextsIn } from './discrepancy-list.ts';

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
export const eraseDiscrepancyTexts = eraseTextsIn.bind(null, 'reconciliation_discrepancy');

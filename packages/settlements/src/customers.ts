import type { Database } from '@switchyard/db';
import type { SettlementDiscrepancy, SettlementLine, WithdrawnLine } from '@switchyard/db/client';
import { eraseTextsIn } from '@switchyard/reconciliation/discrepancy-list';

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

/** The lines of payouts about these payments, and those that corrections removed. */
export async function readSettlementLinesOf(
  { prisma }: Database,
  merchantId: string,
  paymentIds: readonly string[],
): Promise<{ readonly lines: readonly SettlementLine[]; readonly withdrawn: readonly WithdrawnLine[] }> {
  const where = { merchantId, paymentId: { in: [...paymentIds] } };
  const [lines, withdrawn] = await Promise.all([
    prisma.settlementLine.findMany({ where, orderBy: { id: 'asc' }, take: ROWS_MAX }),
    prisma.withdrawnLine.findMany({ where, orderBy: { id: 'asc' }, take: ROWS_MAX }),
  ]);
  return { lines, withdrawn };
}

/** Replaces what people wrote about these payments' discrepancies; the entries that differ stay. Returns how many discrepancies. */
export const eraseSettlementTexts = eraseTextsIn.bind(null, 'settlement_discrepancy');

import { Prisma } from '@switchyard/db/client';
import type { Books } from '../context.ts';

/** A month that is closed. */
export interface ClosedMonth {
  readonly merchantId: string;
  /** `YYYY-MM`. */
  readonly month: string;
  readonly closedAt: Date;
}

const MONTHS_MAX = 200;

/** The closed months that have days of a period, both inclusive, `YYYY-MM-DD`; the newest first, 200 at most. */
export function listClosedMonths(
  { prisma }: { readonly prisma: Pick<Prisma.TransactionClient, '$queryRaw'> },
  {
    merchantIds,
    mode,
    from,
    to,
  }: { readonly merchantIds: readonly string[]; readonly mode: Books['mode']; readonly from: string; readonly to: string },
): Promise<ClosedMonth[]> {
  return prisma.$queryRaw<ClosedMonth[]>`
    SELECT merchant_id AS "merchantId", month, closed_at AS "closedAt" FROM month_close
    WHERE merchant_id = ANY (${merchantIds}::uuid[]) AND mode = ${mode}::mode AND month BETWEEN ${from.slice(0, 7)} AND ${to.slice(0, 7)}
    ORDER BY month DESC, merchant_id LIMIT ${Prisma.raw(String(MONTHS_MAX))}`;
}

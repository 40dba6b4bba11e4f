import type { Reports } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import { calendarDay, dateOf, dayText } from '@switchyard/runtime/calendar-days';
import { RECONCILIATION_ZONE } from './days.ts';

/** A day of an account that was compared with the gateway's statement. */
export interface ComparedDay {
  readonly accountId: string;
  /** `YYYY-MM-DD` in {@link RECONCILIATION_ZONE}. */
  readonly day: string;
  /** When it was last compared to the end; null if every run failed. */
  readonly comparedAt: Date | null;
  readonly openDiscrepancies: number;
}

/** Days that were compared, from the one of the first moment until before the second; at most `limit`. */
export async function listComparedDays(
  { prisma }: Pick<Reports, 'prisma'>,
  query: {
    readonly merchantIds: readonly string[];
    readonly mode: Mode;
    readonly from: Date;
    readonly to: Date;
    readonly limit: number;
  },
): Promise<ComparedDay[]> {
  const dayAt = (time: number) => dateOf(calendarDay(new Date(time), RECONCILIATION_ZONE));
  const day = { gte: dayAt(query.from.getTime()), lte: dayAt(query.to.getTime() - 1) };
  const where = { merchantId: { in: [...query.merchantIds] }, mode: query.mode, day };
  const [runs, open] = await Promise.all([
    prisma.reconciliationRun.findMany({ where, select: { accountId: true, day: true, comparedAt: true }, take: query.limit }),
    prisma.reconciliationDiscrepancy.groupBy({ by: ['accountId', 'day'], where: { ...where, state: 'OPEN' }, _count: true }),
  ]);
  const keyOf = ({ accountId, day }: { accountId: string; day: Date }) => `${accountId} ${dayText(day)}`;
  const openOf = new Map(open.map((one) => [keyOf(one), one._count]));
  return runs.map((run) => ({
    accountId: run.accountId,
    day: dayText(run.day),
    comparedAt: run.comparedAt,
    openDiscrepancies: openOf.get(keyOf(run)) ?? 0,
  }));
}

export { RECONCILIATION_ZONE } from './days.ts';

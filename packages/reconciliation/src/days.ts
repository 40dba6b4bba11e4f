import type { Reports } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import { addDays, calendarDay, dateOf, dayText, firstMoment } from '@switchyard/runtime/calendar-days';

/** The default zone of day boundaries. */
export const RECONCILIATION_ZONE = 'Africa/Lagos';

/** From its first moment, inclusive, to the first moment after it. */
export interface Day {
  /** `YYYY-MM-DD` by the calendar of the zone. */
  readonly day: string;
  readonly from: Date;
  readonly to: Date;
}

/** The bounds of a calendar day in a zone. Throws when the text is no day. */
export function dayOf(day: string, zone: string): Day {
  return { day, from: firstMoment(day, zone), to: firstMoment(addDays(day, 1), zone) };
}

/** The last `count` days that were over at `now`, the latest first. */
export function finishedDays(now: Date, zone: string, count: number): Day[] {
  const today = calendarDay(now, zone);
  return Array.from({ length: count }, (_, at) => dayOf(addDays(today, -at - 1), zone));
}

/** A day of an account that was compared with the gateway's statement. */
interface ComparedDay {
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

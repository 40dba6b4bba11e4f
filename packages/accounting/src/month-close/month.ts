import type { Prisma } from '@switchyard/db/client';
import { addMonths, firstDay } from '@switchyard/runtime/calendar-days';
import type { Books } from '../context.ts';
import { ledgerEntries } from '../ledger/entries.ts';

/** Source of figures: a transaction, or a read-only pool. */
export interface MonthSource {
  readonly prisma: Pick<Prisma.TransactionClient, '$queryRaw' | 'monthClose'>;
}

/** A month of a merchant's books. */
export interface MonthKey extends Books {
  /** `YYYY-MM`. */
  readonly month: string;
}

/** A month by the days of a zone. */
export interface ZonedMonth extends MonthKey {
  readonly zone: string;
}

/** The amounts of a month. */
export function monthEntries(month: ZonedMonth): Prisma.Sql {
  const period = { zone: month.zone, from: firstDay(month.month), until: firstDay(addMonths(month.month, 1)) };
  return ledgerEntries(month, period);
}

/** True if a month has ended by a moment. */
export function hasEnded({ month, zone }: Pick<ZonedMonth, 'month' | 'zone'>, today: (zone: string) => string): boolean {
  return today(zone) >= firstDay(addMonths(month, 1));
}

/** The first moment of a month and the first after it. */
export async function readBounds(
  { prisma }: MonthSource,
  { month, zone }: Pick<ZonedMonth, 'month' | 'zone'>,
): Promise<{ readonly from: Date; readonly until: Date }> {
  const [bounds] = await prisma.$queryRaw<{ from: Date; until: Date }[]>`
    SELECT ${firstDay(month)}::date::timestamp AT TIME ZONE ${zone}::text AS from,
      ${firstDay(addMonths(month, 1))}::date::timestamp AT TIME ZONE ${zone}::text AS until`;
  if (bounds === undefined) throw new Error(`the bounds of ${month} were not answered`);
  return bounds;
}

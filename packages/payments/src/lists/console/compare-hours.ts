import type { Database } from '@switchyard/db';
import { type Mode, Prisma } from '@switchyard/db/client';
import { hasDisplayStatus } from '@switchyard/reporting/display-status';
import { startOfDay } from '@switchyard/runtime/calendar-days';
import type { PaymentsContext } from '../../record/context.ts';
import { paymentList } from '../payment-filter.ts';

/** The payments of one currency that were created in one hour. */
export interface HourSum {
  /** Hours since midnight. */
  readonly hour: number;
  readonly currency: string;
  readonly payments: number;
  /** Paid, whether or not they were refunded later. */
  readonly paid: number;
  readonly failed: number;
  /** Not paid in time: no gateway failed. */
  readonly expired: number;
  /** Received by payments that were paid, in whole main units. */
  readonly received: bigint;
}

/** Today so far by hour, and the whole day a week ago. */
export interface HourComparison {
  readonly asOf: Date;
  /** Midnight in the requested zone. */
  readonly dayStart: Date;
  /** Hours with payments alone, the earliest first. */
  readonly today: readonly HourSum[];
  readonly weekAgo: readonly HourSum[];
}

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

/** Payments by hour of today and of the same day a week ago, by the calendar of `zone` (IANA). */
export async function compareHours(
  context: PaymentsContext,
  query: { readonly merchantIds: readonly string[]; readonly mode: Mode; readonly zone: string },
): Promise<HourComparison> {
  const { database } = context.resources;
  const asOf = context.now();
  const dayStart = startOfDay(asOf, query.zone);
  const weekAgoStart = new Date(dayStart.getTime() - WEEK_MS);
  const [today, weekAgo] = await Promise.all([
    sumByHour(database, query, dayStart, new Date(dayStart.getTime() + DAY_MS)),
    sumByHour(database, query, weekAgoStart, new Date(weekAgoStart.getTime() + DAY_MS)),
  ]);
  return { asOf, dayStart, today, weekAgo };
}

async function sumByHour(
  database: Database,
  { merchantIds, mode }: { readonly merchantIds: readonly string[]; readonly mode: Mode },
  from: Date,
  to: Date,
): Promise<HourSum[]> {
  const filter = { merchantIds, mode, createdFrom: from, createdTo: to };
  const { conditions } = await paymentList(database, filter);
  return database.prisma.$queryRaw<HourSum[]>`
    SELECT floor(extract(epoch FROM p.created_at - ${from}::timestamptz) / 3600)::int AS hour, p.currency::text AS currency,
      count(*)::int AS payments, count(*) FILTER (WHERE p.status IN ('SUCCESS', 'REFUNDED'))::int AS paid,
      count(*) FILTER (WHERE ${hasDisplayStatus('FAILED')})::int AS failed,
      count(*) FILTER (WHERE ${hasDisplayStatus('EXPIRED')})::int AS expired,
      coalesce(sum(p.amount) FILTER (WHERE p.status IN ('SUCCESS', 'REFUNDED')), 0)::int8 AS received
    FROM payment AS p
    WHERE p.merchant_id = ANY (${merchantIds}::uuid[]) AND ${Prisma.join(conditions, ' AND ')}
    GROUP BY 1, 2 ORDER BY 1, 2`;
}

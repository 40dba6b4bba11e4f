import { Prisma } from '@switchyard/db/client';
import { DAY_ZONE } from './payment-rollups.ts';
import type { PaymentDate } from './volume-query.ts';

/*
 * Dates of `payment AS p` beside its creation. A payment is settled on the day of the last payout that it is in: of one in several parts, the
 * day when its money was complete.
 */

const LINES = `settlement_line AS line
  JOIN settlement ON settlement.merchant_id = line.merchant_id AND settlement.id = line.settlement_id AND settlement.status = 'PAID'`;
/** A line of the payment itself: neither of a duplicate charge, nor of a refund of it. */
const IS_OWN = `line.payment_id IS NOT NULL AND 'payment/' || line.payment_id = ANY (line.subjects)`;

/** The day on which `p` was settled, null while it is not. `merchant` is the SQL of its merchant's id. */
export function settledOn(merchant: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT max(settlement.settled_on) FROM ${Prisma.raw(LINES)}
    WHERE line.merchant_id = ${merchant} AND line.payment_id = p.id AND ${Prisma.raw(IS_OWN)})`;
}

/**
 * Payments that were settled within days, both inclusive, as `merchant_id`, `id` and `settled_on`: found by the payouts of those days, so that
 * its cost is theirs. All arguments are SQL: an array of merchants, a mode and days.
 */
export function selectSettled(scope: { readonly merchants: string; readonly mode: string }, from: string, to: string): string {
  return `SELECT p.merchant_id, p.id, ${settledOn(Prisma.raw('p.merchant_id')).sql} AS settled_on FROM (
      SELECT DISTINCT line.merchant_id, line.payment_id AS id FROM ${LINES}
      WHERE settlement.merchant_id = ANY (${scope.merchants}) AND settlement.mode = ${scope.mode}
        AND settlement.settled_on BETWEEN ${from} AND ${to} AND ${IS_OWN}) AS p`;
}

/** A period of days by one of the dates of payments. */
export interface PaymentDays {
  readonly mode: string;
  readonly date: PaymentDate;
  /** First and last day, `YYYY-MM-DD` in Africa/Lagos; null for any. */
  readonly from: string | null;
  readonly to: string | null;
}

/** Conditions on `payment AS p` that its date is within days; payments without the date are in no period. */
export function isWithinDays({ mode, date, from, to }: PaymentDays): Prisma.Sql[] {
  if (from === null && to === null) return [];
  const [first, last] = [from ?? '-infinity', to ?? 'infinity'];
  if (date !== 'settled') {
    const column = Prisma.raw(date === 'paid' ? 'p.paid_at' : 'p.created_at');
    const since = from === null ? [] : [Prisma.sql`${column} >= ${from}::date::timestamp AT TIME ZONE ${DAY_ZONE}`];
    const until = to === null ? [] : [Prisma.sql`${column} < (${to}::date + 1)::timestamp AT TIME ZONE ${DAY_ZONE}`];
    return [...since, ...until];
  }
  const line = Prisma.sql`SELECT FROM ${Prisma.raw(LINES)}
    WHERE line.merchant_id = p.merchant_id AND line.payment_id = p.id AND ${Prisma.raw(IS_OWN)} AND settlement.mode = ${mode}::mode`;
  return [
    Prisma.sql`EXISTS (${line} AND settlement.settled_on BETWEEN ${first}::date AND ${last}::date)`,
    Prisma.sql`NOT EXISTS (${line} AND settlement.settled_on > ${last}::date)`,
  ];
}

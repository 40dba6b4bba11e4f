import type { Database } from '@switchyard/db';
import { type Mode, Prisma } from '@switchyard/db/client';
import { compares, isOneOf, type TenantList } from '@switchyard/db/lists';
import { SETTLEMENT_ZONE } from '../calendar.ts';

/** Where bands of amounts begin, in main units: rates are given by them. A flat part weighs most on the smallest. */
export const BAND_STARTS = [0, 2_500, 10_000, 50_000, 200_000] as const;

/** A band of amounts, both ends inclusive; `to` null is open-ended. */
export interface FeeBand {
  readonly from: number;
  readonly to: number | null;
}

/** The band of a place among {@link BAND_STARTS}, from 0. */
export function bandAt(place: number): FeeBand {
  const next = BAND_STARTS[place + 1];
  return { from: BAND_STARTS[place] ?? 0, to: next === undefined ? null : next - 1 };
}

type Source = { readonly prisma: Pick<Database['prisma'], '$queryRaw'> };

/** Sums of fees of one currency. Amounts are exact decimals of the main unit. */
export interface FeeSums {
  readonly currency: string;
  readonly payments: number;
  readonly amount: string;
  /** By contract, and charged: of payments of which both are known. */
  readonly compared: number;
  readonly expected: string;
  readonly charged: string;
  /** `charged` less `expected`; differences within the tolerance are in it. */
  readonly difference: string;
  readonly overcharged: number;
  /** Sum of what was charged beyond the contracts and their tolerance. */
  readonly overcharge: string;
  readonly undercharged: number;
  /** Sum of what was charged less, without a sign. */
  readonly undercharge: string;
  /** Payments whose contract has no price, or whose fee is not known. */
  readonly withoutContract: number;
  readonly withoutFee: number;
}

const SUMS = Prisma.raw(`count(*)::int AS payments, trim_scale(sum(p.amount))::text AS amount,
  count(*) FILTER (WHERE p.expected IS NOT NULL AND p.charged IS NOT NULL)::int AS compared,
  trim_scale(coalesce(sum(p.expected) FILTER (WHERE p.charged IS NOT NULL), 0))::text AS expected,
  trim_scale(coalesce(sum(p.charged) FILTER (WHERE p.expected IS NOT NULL), 0))::text AS charged,
  trim_scale(coalesce(sum(p.charged - p.expected), 0))::text AS difference,
  count(*) FILTER (WHERE p.excess > 0)::int AS overcharged,
  trim_scale(coalesce(sum(p.excess) FILTER (WHERE p.excess > 0), 0))::text AS overcharge,
  count(*) FILTER (WHERE p.excess < 0)::int AS undercharged,
  trim_scale(coalesce(-sum(p.excess) FILTER (WHERE p.excess < 0), 0))::text AS undercharge,
  count(*) FILTER (WHERE p.expected IS NULL)::int AS "withoutContract", count(*) FILTER (WHERE p.charged IS NULL)::int AS "withoutFee"`);

/** The sums of each currency. */
export function readFeeSums({ prisma }: Source, filter: FeeFilter): Promise<FeeSums[]> {
  return prisma.$queryRaw`
    SELECT p.currency::text AS currency, ${SUMS} FROM payment_fee AS p
    WHERE ${Prisma.join(feeConditions(filter), ' AND ')} GROUP BY p.currency ORDER BY p.currency`;
}

/** The sums of an account and month. */
export interface FeeMonth extends FeeSums {
  readonly merchantId: string;
  readonly accountId: string;
  readonly gateway: string;
  /** `YYYY-MM`, of the filter's date; null by settled day while it is not settled. */
  readonly month: string | null;
}

const GROUPS_MAX = 5_000;

/** The sums of each account, month and currency, the newest first. */
export function readFeeMonths({ prisma }: Source, filter: FeeFilter): Promise<FeeMonth[]> {
  return prisma.$queryRaw`
    SELECT p.merchant_id AS "merchantId", p.account_id AS "accountId", p.gateway, to_char(${feeDay(filter)}, 'YYYY-MM') AS month,
      p.currency::text AS currency, ${SUMS}
    FROM payment_fee AS p WHERE ${Prisma.join(feeConditions(filter), ' AND ')}
    GROUP BY p.merchant_id, p.account_id, p.gateway, 4, p.currency
    ORDER BY 4 DESC NULLS FIRST, p.gateway, p.account_id, p.currency LIMIT ${GROUPS_MAX}`;
}

/** The charge of an account for payments of one method and a band of amounts. */
export interface FeeRate {
  readonly merchantId: string;
  readonly accountId: string;
  readonly gateway: string;
  readonly method: string | null;
  readonly currency: string;
  /** Its place among the bands, from 0. */
  readonly band: number;
  /** Payments whose fee is known. */
  readonly payments: number;
  readonly amount: string;
  readonly charged: string;
  /** Charged by amount, as an exact decimal with six digits. */
  readonly rate: string;
  /** By contract, of those that have one; null without. */
  readonly contractRate: string | null;
}

/** The effective rates of accounts, methods and bands. */
export function readFeeRates({ prisma }: Source, filter: FeeFilter): Promise<FeeRate[]> {
  return prisma.$queryRaw`
    SELECT p.merchant_id AS "merchantId", p.account_id AS "accountId", p.gateway, p.method, p.currency::text AS currency,
      width_bucket(p.amount, ${[...BAND_STARTS]}::numeric[]) - 1 AS band, count(*)::int AS payments,
      trim_scale(sum(p.amount))::text AS amount, trim_scale(sum(p.charged))::text AS charged,
      trim_scale(round(sum(p.charged) / sum(p.amount), 6))::text AS rate,
      trim_scale(round(sum(p.expected) / nullif(sum(p.amount) FILTER (WHERE p.expected IS NOT NULL), 0), 6))::text AS "contractRate"
    FROM payment_fee AS p
    WHERE ${Prisma.join(feeConditions(filter), ' AND ')} AND p.charged IS NOT NULL AND p.amount > 0
    GROUP BY p.merchant_id, p.account_id, p.gateway, p.method, p.currency, 6
    ORDER BY p.gateway, p.account_id, p.method, p.currency, 6 LIMIT ${GROUPS_MAX}`;
}

/** Which audited fees. Empty lists and null match any. */
export interface FeeFilter {
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  readonly accountIds: readonly string[];
  /** The date that `from` and `to` are of; by settled day, payments that are not settled are in no period. */
  readonly date: 'created' | 'paid' | 'settled';
  /** First and last day, `YYYY-MM-DD`. */
  readonly from: string | null;
  readonly to: string | null;
  readonly settlementId: string | null;
  readonly overchargedOnly: boolean;
}

const DAYS = {
  created: `(p.created_at AT TIME ZONE '${SETTLEMENT_ZONE}')::date`,
  paid: `(p.paid_at AT TIME ZONE '${SETTLEMENT_ZONE}')::date`,
  settled: 'p.settled_on',
} as const;

/** The day of `payment_fee AS p` by which it is reported. */
function feeDay({ date }: Pick<FeeFilter, 'date'>): Prisma.Sql {
  return Prisma.raw(DAYS[date]);
}

/** The conditions of a filter on `payment_fee AS p`. */
export function feeConditions(filter: FeeFilter): Prisma.Sql[] {
  return [Prisma.sql`p.merchant_id = ANY (${filter.merchantIds}::uuid[])`, ...otherConditions(filter)];
}

function otherConditions({ mode, accountIds, date, from, to, settlementId, overchargedOnly }: FeeFilter): Prisma.Sql[] {
  return [
    Prisma.sql`p.mode = ${mode}::mode`,
    ...isOneOf('p.account_id', accountIds, 'uuid'),
    ...within(date, from, to),
    ...compares('p.settlement_id =', settlementId, 'uuid'),
    ...(overchargedOnly ? [Prisma.sql`p.excess > 0`] : []),
  ];
}

function within(date: FeeFilter['date'], from: string | null, to: string | null): Prisma.Sql[] {
  if (date === 'settled') return [...compares('p.settled_on >=', from, 'date'), ...compares('p.settled_on <=', to, 'date')];
  const column = Prisma.raw(date === 'created' ? 'p.created_at' : 'p.paid_at');
  const since = from === null ? [] : [Prisma.sql`${column} >= ${from}::date::timestamp AT TIME ZONE ${SETTLEMENT_ZONE}`];
  const until = to === null ? [] : [Prisma.sql`${column} < (${to}::date + 1)::timestamp AT TIME ZONE ${SETTLEMENT_ZONE}`];
  return [...since, ...until];
}

/** The list of a filter's fees, for a file. */
export function feeList(filter: FeeFilter): TenantList {
  return {
    table: '(SELECT *, payment_id AS id FROM payment_fee)',
    merchantIds: filter.merchantIds,
    conditions: otherConditions(filter),
    by: 'merchant',
  };
}

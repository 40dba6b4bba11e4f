import type { Database } from '@switchyard/db';
import { Prisma } from '@switchyard/db/client';
import { compares } from '@switchyard/db/lists';
import { conditionsOf, defineNoun, type NounFilter } from '@switchyard/nouns';
import { code, day, decimal, moment, text } from '@switchyard/nouns/fields';
import * as by from '@switchyard/nouns/filters';
import { z } from 'zod';
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

/** Dates of payments that fees may be reported by. */
export const FEE_DATES = ['created', 'paid', 'settled'] as const;

/** Fees of paid payments, as they were audited. */
export const feeNoun = defineNoun({
  title: 'Fees',
  permission: 'report:read',
  table: '(SELECT *, payment_id AS id FROM payment_fee)',
  // Payments in the order in which they were created.
  order: 'id',
  period: 'days',
  rows: () => Prisma.sql`(SELECT fee.*, fee.payment_id AS id, payment.merchant_order_id, attempt.reference, attempt.transaction_id,
    settlement.reference AS settlement_reference
  FROM payment_fee AS fee
  JOIN payment ON payment.merchant_id = fee.merchant_id AND payment.id = fee.payment_id
  LEFT JOIN attempt ON attempt.merchant_id = fee.merchant_id AND attempt.payment_id = fee.payment_id AND attempt.account_id = fee.account_id
    AND attempt.state = 'PAID' AND NOT attempt.duplicate
  LEFT JOIN settlement ON settlement.merchant_id = fee.merchant_id AND settlement.id = fee.settlement_id)`,
  fields: {
    merchant_id: code('The merchant.'),
    created_at: moment('When the payment was created, in UTC.'),
    payment_id: code('The payment.'),
    mode: code('test or live.'),
    paid_at: moment('When it was paid, in UTC.'),
    settled_on: day('Day of the payout; empty while it is not settled.'),
    merchant_order_id: text("The merchant's own order reference."),
    gateway: code('The gateway that charged.'),
    account_id: code('The gateway account.'),
    reference: text('The reference sent to the gateway.'),
    transaction_id: text("The gateway's own id of the transaction."),
    settlement_reference: text("The gateway's own id of the settlement."),
    method: text('How it was paid.'),
    amount: decimal('The amount received, as an exact decimal.'),
    currency: text('ISO 4217 code of all amounts.'),
    expected_fee: decimal('The fee by contract; empty without one.', 'p.expected'),
    reported_fee: decimal('The fee that the gateway reported with the payment; empty where it reports none.', 'p.reported'),
    settled_fee: decimal('The fee taken off in settlements; empty while it is not settled.', 'p.settled'),
    charged_fee: decimal('The settled fee, else the reported one.', 'p.charged'),
    overcharge: decimal('Charged beyond the contract and its tolerance; negative below it.', 'p.excess'),
  },
  filter: {
    ...by.scope(),
    accountIds: by.ids('Gateway accounts; all when omitted.', 'p.account_id'),
    date: by.field(
      z.enum(FEE_DATES).default('paid'),
      'What `from` and `to` are of; the day of payment when omitted. By settled day, payments that are not settled are in no period.',
      { oneOf: FEE_DATES },
    ),
    from: by.sinceDay('First day, YYYY-MM-DD in Africa/Lagos.'),
    to: by.untilDay('Last day.'),
    settlementId: by.id('The settlement that they are in.', 'p.settlement_id'),
    overchargedOnly: by.only('Only payments that were charged more than agreed.', 'p.excess > 0'),
  },
  where: ({ date = 'paid', from = null, to = null }) => isWithin(date, from, to),
});

/** Filter of audited fees. */
export type FeeFilter = NounFilter<typeof feeNoun>;

const DAYS = {
  created: `(p.created_at AT TIME ZONE '${SETTLEMENT_ZONE}')::date`,
  paid: `(p.paid_at AT TIME ZONE '${SETTLEMENT_ZONE}')::date`,
  settled: 'p.settled_on',
} as const;

/** The day of `payment_fee AS p` by which it is reported. */
function feeDay({ date = 'paid' }: Pick<FeeFilter, 'date'>): Prisma.Sql {
  return Prisma.raw(DAYS[date]);
}

/** The conditions of a filter on `payment_fee AS p`. */
export function feeConditions(filter: FeeFilter): Prisma.Sql[] {
  return [Prisma.sql`p.merchant_id = ANY (${filter.merchantIds}::uuid[])`, ...conditionsOf(feeNoun, filter)];
}

function isWithin(date: (typeof FEE_DATES)[number], from: string | null, to: string | null): Prisma.Sql[] {
  if (date === 'settled') return [...compares('p.settled_on >=', from, 'date'), ...compares('p.settled_on <=', to, 'date')];
  const column = Prisma.raw(date === 'created' ? 'p.created_at' : 'p.paid_at');
  const since = from === null ? [] : [Prisma.sql`${column} >= ${from}::date::timestamp AT TIME ZONE ${SETTLEMENT_ZONE}`];
  const until = to === null ? [] : [Prisma.sql`${column} < (${to}::date + 1)::timestamp AT TIME ZONE ${SETTLEMENT_ZONE}`];
  return [...since, ...until];
}

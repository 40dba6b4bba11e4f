import {
  type DiscrepancyState,
  type Mode,
  Prisma,
  type SettlementDiscrepancy,
  type SettlementDiscrepancyKind,
  type SettlementLineKind,
} from '@switchyard/db/client';
import { calendarDay, dayText } from '@switchyard/runtime/calendar-days';
import { readStaffNames } from '@switchyard/staff/staff-names';
import { daysBetween, SETTLEMENT_ZONE } from '../calendar.ts';
import type { SettlementContext } from '../context.ts';
import {
  SETTLEMENT_ABOUTS,
  SETTLEMENT_AMOUNT,
  type SettlementAbout,
  type SettlementDiscrepancyFilter,
  settlementDiscrepancyConditions,
} from './discrepancy-filter.ts';
import { accountNames, pageLimit, staffIdOf } from './names.ts';

/** A difference between the money expected of a gateway and the money it settled. Amounts are exact decimals of the main unit. */
export interface SettlementDiscrepancyItem {
  readonly discrepancyId: string;
  readonly merchantId: string;
  readonly merchantName: string;
  readonly mode: Mode;
  readonly accountId: string;
  readonly accountLabel: string;
  readonly gateway: string;
  readonly gatewayTitle: string;
  readonly kind: SettlementDiscrepancyKind;
  readonly about: SettlementAbout;
  readonly state: DiscrepancyState;
  readonly currency: string;
  /** The amount in question, without a sign: the difference where something was settled, else the whole. */
  readonly amount: string;
  /** Net amount expected; null of an unmatched line. */
  readonly expected: string | null;
  /** Net amount settled; null where nothing was. */
  readonly settled: string | null;
  /** `YYYY-MM-DD`; null of an unmatched line. */
  readonly expectedOn: string | null;
  /** Days since it was expected, or since an unmatched line was found. */
  readonly ageDays: number;
  /** The settlement that it was found in; null where nothing was settled. */
  readonly settlementId: string | null;
  readonly settlementReference: string | null;
  readonly lineId: string | null;
  readonly lineKind: SettlementLineKind | null;
  readonly reference: string | null;
  readonly transactionId: string | null;
  readonly paymentId: string | null;
  readonly merchantOrderId: string | null;
  readonly refundId: string | null;
  readonly disputeId: string | null;
  readonly ownerId: string | null;
  readonly ownerName: string | null;
  readonly note: string | null;
  readonly resolvedBy: string | null;
  /** Null where it was not resolved by staff. */
  readonly resolvedByName: string | null;
  readonly resolvedAt: Date | null;
  readonly resolution: string | null;
  readonly createdAt: Date;
}

/** The order of a list: by when it was found, or by the amount in question. Equal ones follow by id. */
export interface SettlementDiscrepancySort {
  readonly by: 'created' | 'amount';
  readonly order: 'asc' | 'desc';
}

/** The last discrepancy of the previous page. */
export interface SettlementDiscrepancyKey {
  readonly createdAt: Date;
  readonly amount: string;
  readonly discrepancyId: string;
}

/** A page of discrepancies; `next` is null on the last one. */
export interface SettlementDiscrepancyPage {
  readonly items: readonly SettlementDiscrepancyItem[];
  readonly next: SettlementDiscrepancyKey | null;
}

/** A page of discrepancies, 500 at most. */
export async function listSettlementDiscrepancies(
  context: SettlementContext,
  query: SettlementDiscrepancyFilter & {
    readonly sort: SettlementDiscrepancySort;
    readonly after: SettlementDiscrepancyKey | null;
    readonly limit: number;
  },
): Promise<SettlementDiscrepancyPage> {
  const { sort, after } = query;
  const limit = pageLimit(query.limit);
  const key = sort.by === 'created' ? Prisma.sql`p.created_at` : SETTLEMENT_AMOUNT;
  const direction = Prisma.raw(sort.order === 'asc' ? 'ASC' : 'DESC');
  const page = await context.resources.database.prisma.$queryRaw<SelectedDiscrepancy[]>`
    SELECT p.id, trim_scale(${SETTLEMENT_AMOUNT})::text AS amount FROM settlement_discrepancy AS p
    WHERE ${Prisma.join([...settlementDiscrepancyConditions(query), ...isAfter(sort, key, after)], ' AND ')}
    ORDER BY ${key} ${direction}, p.id ${direction} LIMIT ${limit + 1}`;
  const items = await readItems(context, query.merchantIds, page.slice(0, limit));
  const last = items.at(-1);
  if (page.length <= limit || last === undefined) return { items, next: null };
  const { createdAt, amount, discrepancyId } = last;
  return { items, next: { createdAt, amount, discrepancyId } };
}

function isAfter(
  { by, order }: SettlementDiscrepancySort,
  key: Prisma.Sql,
  after: SettlementDiscrepancyKey | null,
): Prisma.Sql[] {
  if (after === null) return [];
  const value = by === 'created' ? Prisma.sql`${after.createdAt}::timestamptz` : Prisma.sql`${after.amount}::numeric`;
  return [Prisma.sql`(${key}, p.id) ${Prisma.raw(order === 'asc' ? '>' : '<')} (${value}, ${after.discrepancyId}::uuid)`];
}

interface SelectedDiscrepancy {
  readonly id: string;
  readonly amount: string;
}

/** One discrepancy; null when none of these merchants has it. */
export async function findSettlementDiscrepancy(
  context: SettlementContext,
  { merchantIds, discrepancyId }: { readonly merchantIds: readonly string[]; readonly discrepancyId: string },
): Promise<SettlementDiscrepancyItem | null> {
  const found = await context.resources.database.prisma.$queryRaw<SelectedDiscrepancy[]>`
    SELECT p.id, trim_scale(${SETTLEMENT_AMOUNT})::text AS amount FROM settlement_discrepancy AS p
    WHERE p.merchant_id = ANY (${merchantIds}::uuid[]) AND p.id = ${discrepancyId}::uuid LIMIT 1`;
  return (await readItems(context, merchantIds, found))[0] ?? null;
}

/** The number of discrepancies of each kind and state. */
export function countSettlementDiscrepancies(
  { resources }: SettlementContext,
  filter: SettlementDiscrepancyFilter,
): Promise<{ kind: SettlementDiscrepancyKind; state: DiscrepancyState; count: number }[]> {
  return resources.database.prisma.$queryRaw`
    SELECT p.kind::text AS kind, p.state::text AS state, count(*)::int AS count
    FROM settlement_discrepancy AS p WHERE ${Prisma.join(settlementDiscrepancyConditions(filter), ' AND ')} GROUP BY p.kind, p.state`;
}

/** The oldest age of each group but the last, in days. */
const AGE_BOUNDS = [2, 7, 30] as const;

/** Discrepancies of one age and currency. */
export interface SettlementAgeGroup {
  /** Days since it was expected, or was found without having been; both inclusive, `maxDays` null for no limit. */
  readonly minDays: number;
  readonly maxDays: number | null;
  readonly currency: string;
  readonly count: number;
  readonly unowned: number;
  readonly amount: string;
}

/** Discrepancies counted by age and currency, on the day `today` (`YYYY-MM-DD`); groups without any are left out. */
export async function countSettlementDiscrepanciesByAge(
  { resources }: SettlementContext,
  filter: SettlementDiscrepancyFilter,
  today: string,
): Promise<SettlementAgeGroup[]> {
  type Counted = Omit<SettlementAgeGroup, 'minDays' | 'maxDays'> & { readonly bucket: number };
  const groups = await resources.database.prisma.$queryRaw<Counted[]>`
    SELECT width_bucket(${today}::date - ${Prisma.raw(SINCE)} - 1, ${[...AGE_BOUNDS]}::int[]) AS bucket, p.currency::text AS currency,
      count(*)::int AS count, count(*) FILTER (WHERE p.owner_id IS NULL)::int AS unowned,
      trim_scale(sum(${SETTLEMENT_AMOUNT}))::text AS amount
    FROM settlement_discrepancy AS p WHERE ${Prisma.join(settlementDiscrepancyConditions(filter), ' AND ')}
    GROUP BY 1, 2 ORDER BY 1, 2`;
  return groups.map(({ bucket, ...group }) => {
    const before = AGE_BOUNDS[bucket - 1];
    return { ...group, minDays: before === undefined ? 0 : before + 1, maxDays: AGE_BOUNDS[bucket] ?? null };
  });
}

const SINCE = `coalesce(p.expected_on, (p.created_at AT TIME ZONE '${SETTLEMENT_ZONE}')::date)`;

async function readItems(
  context: SettlementContext,
  merchantIds: readonly string[],
  page: readonly SelectedDiscrepancy[],
): Promise<SettlementDiscrepancyItem[]> {
  if (page.length === 0) return [];
  const { database } = context.resources;
  const merchantId = { in: [...merchantIds] };
  const rows = await database.prisma.settlementDiscrepancy.findMany({
    where: { merchantId, id: { in: page.map(({ id }) => id) } },
  });
  const idsOf = (pick: (row: SettlementDiscrepancy) => string | null) => [...new Set(rows.flatMap((row) => pick(row) ?? []))];
  const payments = idsOf(({ paymentId }) => paymentId);
  const [settlements, lines, orders, attempts, names] = await Promise.all([
    database.prisma.settlement.findMany({
      where: { merchantId, id: { in: idsOf(({ settlementId }) => settlementId) } },
      select: { id: true, reference: true },
    }),
    database.prisma.settlementLine.findMany({ where: { merchantId, id: { in: idsOf(({ lineId }) => lineId) } } }),
    database.prisma.payment.findMany({
      where: { merchantId, id: { in: payments } },
      select: { id: true, merchantOrderId: true },
    }),
    database.prisma.attempt.findMany({
      where: { merchantId, paymentId: { in: payments }, state: 'PAID' },
      select: { paymentId: true, accountId: true, reference: true, transactionId: true },
    }),
    readStaffNames(
      database,
      rows.flatMap(({ ownerId, resolvedBy }) => [ownerId, staffIdOf(resolvedBy)].filter((id) => id !== null)),
    ),
  ]);
  const references = new Map(settlements.map(({ id, reference }) => [id, reference]));
  const lineOf = new Map(lines.map((line) => [line.id, line]));
  const orderOf = new Map(orders.map(({ id, merchantOrderId }) => [id, merchantOrderId]));
  const attemptOf = new Map(attempts.map((attempt) => [`${attempt.paymentId} ${attempt.accountId}`, attempt]));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const today = calendarDay(context.now(), SETTLEMENT_ZONE);
  return page.flatMap(({ id, amount }): SettlementDiscrepancyItem[] => {
    const row = byId.get(id);
    if (row === undefined) return [];
    const line = row.lineId === null ? undefined : lineOf.get(row.lineId);
    const named = line ?? attemptOf.get(`${row.paymentId} ${row.accountId}`);
    const { gateway: _, subject, expected, settled, expectedOn, ...rest } = row;
    return [
      {
        ...rest,
        ...accountNames(context, row),
        discrepancyId: row.id,
        about: aboutOf(subject),
        amount,
        expected: expected?.toFixed() ?? null,
        settled: settled?.toFixed() ?? null,
        expectedOn: expectedOn === null ? null : dayText(expectedOn),
        ageDays: Math.max(
          0,
          daysBetween(expectedOn === null ? calendarDay(row.createdAt, SETTLEMENT_ZONE) : dayText(expectedOn), today),
        ),
        settlementReference: references.get(row.settlementId ?? '') ?? null,
        lineKind: line?.kind ?? null,
        reference: named?.reference ?? null,
        transactionId: named?.transactionId ?? null,
        merchantOrderId: orderOf.get(row.paymentId ?? '') ?? null,
        ownerName: names.get(row.ownerId ?? '') ?? null,
        resolvedByName: names.get(staffIdOf(row.resolvedBy) ?? '') ?? null,
      },
    ];
  });
}

function aboutOf(subject: string): SettlementAbout {
  return SETTLEMENT_ABOUTS.find((about) => subject.startsWith(`${about}/`)) ?? 'line';
}

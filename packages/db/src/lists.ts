import { Prisma, type PrismaClient } from './generated/client.ts';
import type { Reports } from './read-only-pool.ts';

/*
 * Parts of the statements that read lists. A list's rows are called `p`, so that its conditions serve every statement over it: pages,
 * sums and files.
 */

/** The position of a row in a list sorted by time. */
export interface TimeKey {
  readonly createdAt: Date;
  readonly id: string;
}

/** A page of a list sorted by time. */
export interface TimePage {
  /** Only rows after this one in the order of the page; null from the beginning. */
  readonly after: TimeKey | null;
  /** Only rows before this one in the order of the page; null to the end. */
  readonly before: TimeKey | null;
  readonly newestFirst: boolean;
  readonly limit: number;
}

/** A list of rows of some merchants. */
export interface TenantList {
  /** The table, as `payment`; with columns `merchant_id`, `created_at` and `id`. */
  readonly table: string;
  readonly merchantIds: readonly string[];
  /** Conditions on `p` besides the merchant; one at least. */
  readonly conditions: readonly Prisma.Sql[];
  /**
   * How rows are found: each merchant's newest by an index that leads with the merchant, or those of all together by an index that
   * leads with the time. The page is the same.
   */
  readonly by: 'merchant' | 'time';
}

/**
 * Selects `merchant_id`, `created_at` and `id` of a page's rows, in its order. With the right index its cost does not depend on the
 * number of rows in the table.
 */
export function selectTimePage(list: TenantList, { after, before, newestFirst, limit }: TimePage): Prisma.Sql {
  const place = (key: TimeKey | null) => (key === null ? null : { value: key.createdAt, id: key.id });
  const sort = { column: 'created_at', type: 'timestamptz', descending: newestFirst } as const;
  return selectPage(list, { sort, after: place(after), before: place(before), limit });
}

/** The merchants and ids of a page's rows, in its order, read for reports. Throws when `signal` is aborted or it takes too long. */
export async function readTimePage(
  reports: Pick<Reports, 'read'>,
  list: TenantList,
  page: TimePage,
  signal: AbortSignal,
): Promise<{ readonly merchantId: string; readonly id: string }[]> {
  const { text, values } = selectTimePage(list, page);
  const { rows } = await reports.read(
    (client) => client.query<{ readonly merchant_id: string; readonly id: string }>({ text, values }),
    { signal, single: true },
  );
  return rows.map(({ merchant_id: merchantId, id }) => ({ merchantId, id }));
}

/** The order of a list: by a column, then by the id in the same direction. */
export interface ListOrder {
  readonly column: 'created_at' | 'amount';
  /** The PostgreSQL type of the column. */
  readonly type: 'timestamptz' | 'int8';
  readonly descending: boolean;
}

/** The position of a row in a list sorted by a column. */
export interface SortKey {
  readonly value: Date | bigint;
  readonly id: string;
}

/** A page of a list sorted by a column. */
export interface SortedPage {
  readonly sort: ListOrder;
  /** Only rows after this one in the order of the page; null from the beginning. */
  readonly after: SortKey | null;
  /** Only rows before this one in the order of the page; null to the end. */
  readonly before: SortKey | null;
  readonly limit: number;
}

/**
 * Selects `merchant_id`, the sorted column, `created_at` and `id` of a page's rows, in its order. Needs an index that leads with the
 * merchant and ends with the sorted column and the id.
 */
export function selectPage({ table, merchantIds, conditions, by }: TenantList, page: SortedPage): Prisma.Sql {
  const { sort, after, before, limit } = page;
  const direction = sort.descending ? 'DESC' : 'ASC';
  const columns = Prisma.raw(`p.merchant_id, p.created_at, ${sort.column === 'created_at' ? '' : `p.${sort.column}, `}p.id`);
  const from = Prisma.raw(`FROM ${table} AS p`);
  const order = Prisma.raw(`${sort.column} ${direction}, id ${direction}`);
  const [later, earlier] = sort.descending ? ['<', '>'] : ['>', '<'];
  const sides = [
    ...(after === null ? [] : [isOnSide(later, sort, after)]),
    ...(before === null ? [] : [isOnSide(earlier, sort, before)]),
  ];
  const where = Prisma.join([...conditions, ...sides], ' AND ');
  switch (by) {
    case 'time':
      // The planner must see the merchants: it takes others to be few, and sorts all their rows.
      return Prisma.sql`SELECT ${columns} ${from}
        WHERE p.merchant_id = ANY (${merchantIds}::uuid[]) AND ${where} ORDER BY ${order} LIMIT ${limit}`;
    case 'merchant':
      return Prisma.sql`SELECT part.* FROM tenant CROSS JOIN LATERAL (
          SELECT ${columns} ${from}
          WHERE p.merchant_id = tenant.id AND ${where} ORDER BY ${order} LIMIT ${limit}) AS part
        WHERE tenant.id = ANY (${merchantIds}::uuid[]) ORDER BY ${order} LIMIT ${limit}`;
    default:
      return by satisfies never;
  }
}

function isOnSide(side: string, { column, type }: ListOrder, { value, id }: SortKey): Prisma.Sql {
  return Prisma.sql`(p.${Prisma.raw(column)}, p.id) ${Prisma.raw(side)} (${value}::${Prisma.raw(type)}, ${id}::uuid)`;
}

/** Rows of a list with one value of a column. */
export interface ValueCount {
  /** `` for rows without a value. */
  readonly value: string;
  readonly count: number;
  /** True if there are more rows than were counted. */
  readonly more: boolean;
}

/** How far lists that take long are counted: beyond it, their number is "10,000+". */
export const COUNT_MAX = 10_000;
const COUNT_TIMEOUT_MS = 1_000;
const QUERY_CANCELED = '57014';

/** A column of a list, its PostgreSQL type and the values to count. */
interface CountedColumn {
  readonly column: string;
  readonly type: string;
  /** Null for rows without a value. */
  readonly values: readonly (string | null)[];
}

/**
 * Counts the rows of a list for each of these values of a column; values without rows may be left out. Exact where that takes a second
 * at most, which is about a million rows; else each to {@link COUNT_MAX}. Null where that took longer than a second, too: a list is
 * worth showing without its number.
 */
export async function countByValue(
  prisma: Pick<PrismaClient, '$transaction'>,
  list: TenantList,
  column: CountedColumn,
): Promise<ValueCount[] | null> {
  return (await countInTime<ValueCount>(prisma, countAll(list, column))) ?? countInTime(prisma, countToLimit(list, column));
}

function countAll({ table, merchantIds, conditions }: TenantList, { column, type, values }: CountedColumn): Prisma.Sql {
  const counted = Prisma.raw(`p.${column}`);
  const isNamed = Prisma.sql`${counted} = ANY (${values.filter((value) => value !== null)}::${Prisma.raw(type)}[])`;
  const isValue = values.includes(null) ? Prisma.sql`(${isNamed} OR ${counted} IS NULL)` : isNamed;
  return Prisma.sql`SELECT coalesce(${counted}::text, '') AS value, count(*)::int AS count, false AS more FROM ${Prisma.raw(table)} AS p
    WHERE p.merchant_id = ANY (${merchantIds}::uuid[]) AND ${Prisma.join([...conditions, isValue], ' AND ')} GROUP BY ${counted}`;
}

/** Finds rows of frequent values fast, and goes through the whole list for those of rare ones. */
function countToLimit({ table, merchantIds, conditions }: TenantList, { column, type, values }: CountedColumn): Prisma.Sql {
  const limit = COUNT_MAX + 1;
  const counts = values.map((value) => {
    const counted = Prisma.raw(`p.${column}`);
    const isValue = value === null ? Prisma.sql`${counted} IS NULL` : Prisma.sql`${counted} = ${value}::${Prisma.raw(type)}`;
    return Prisma.sql`SELECT ${value ?? ''}::text AS value, count(*)::int AS counted FROM (
      SELECT FROM tenant CROSS JOIN LATERAL (
        SELECT FROM ${Prisma.raw(table)} AS p
        WHERE p.merchant_id = tenant.id AND ${Prisma.join([...conditions, isValue], ' AND ')} LIMIT ${limit}) AS part
      WHERE tenant.id = ANY (${merchantIds}::uuid[]) LIMIT ${limit}) AS row`;
  });
  return Prisma.sql`SELECT value, least(counted, ${COUNT_MAX}::int) AS count, counted > ${COUNT_MAX}::int AS more
    FROM (${Prisma.join(counts, ' UNION ALL ')}) AS each`;
}

/** The rows of a statement that counts; null where it took longer than a second. */
export async function countInTime<Row>(prisma: Pick<PrismaClient, '$transaction'>, count: Prisma.Sql): Promise<Row[] | null> {
  try {
    return await prisma.$transaction(async (transaction) => {
      await transaction.$executeRawUnsafe(`SET LOCAL statement_timeout = ${COUNT_TIMEOUT_MS}`);
      return transaction.$queryRaw<Row[]>(count);
    });
  } catch (error) {
    if (isTimeout(error)) return null;
    throw error;
  }
}

/** The number of rows of a list. */
export interface ListCount {
  readonly count: number;
  /** True if there are more than were counted. */
  readonly more: boolean;
}

/** A number of rows that was counted to one more than the limit. */
export function toListCount(counted: number): ListCount {
  return { count: Math.min(counted, COUNT_MAX), more: counted > COUNT_MAX };
}

/** How many rows have a value. */
export function countOf(found: readonly ValueCount[], wanted: string): ListCount {
  return countOfAll(found.filter(({ value }) => value === wanted));
}

/** How many rows there are, whatever value they have. */
export function countOfAll(found: readonly ValueCount[]): ListCount {
  const count = found.reduce((sum, each) => sum + each.count, 0);
  return found.some(({ more }) => more) ? { count: COUNT_MAX, more: true } : { count, more: false };
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message.includes(QUERY_CANCELED);
}

/** That a column has one of these values, of a PostgreSQL type; no condition for an empty list. */
export function isOneOf(column: string, values: readonly string[], type: string): Prisma.Sql[] {
  const [only, ...others] = values;
  if (only === undefined) return [];
  // An index that has the column before the order of the list serves one value only.
  if (others.length === 0) return compares(`${column} =`, only, type);
  return [Prisma.sql`${Prisma.raw(column)} = ANY (${values}::${Prisma.raw(type)}[])`];
}

/** That a column compares with a value, as in `p.amount >=`; no condition for null. */
export function compares(comparison: string, value: string | bigint | boolean | Date | null, type: string): Prisma.Sql[] {
  return value === null ? [] : [Prisma.sql`${Prisma.raw(comparison)} ${value}::${Prisma.raw(type)}`];
}

/** The time in which rows were recorded. */
export interface CreatedWithin {
  /** Inclusive; null for any. */
  readonly createdFrom: Date | null;
  /** Exclusive; null for any. */
  readonly createdTo: Date | null;
}

/** That a row was recorded within a time. */
export function isCreatedWithin({ createdFrom, createdTo }: CreatedWithin): Prisma.Sql[] {
  return [...compares('p.created_at >=', createdFrom, 'timestamptz'), ...compares('p.created_at <', createdTo, 'timestamptz')];
}

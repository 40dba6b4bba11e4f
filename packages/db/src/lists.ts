import { Prisma } from './generated/client.ts';

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
export function selectTimePage({ table, merchantIds, conditions, by }: TenantList, page: TimePage): Prisma.Sql {
  const { after, before, newestFirst, limit } = page;
  const from = Prisma.raw(`FROM ${table} AS p`);
  const order = Prisma.raw(newestFirst ? 'created_at DESC, id DESC' : 'created_at ASC, id ASC');
  const [later, earlier] = newestFirst ? ['<', '>'] : ['>', '<'];
  const where = Prisma.join(
    [...conditions, ...(after === null ? [] : [isOnSide(later, after)]), ...(before === null ? [] : [isOnSide(earlier, before)])],
    ' AND ',
  );
  switch (by) {
    case 'time':
      // The planner must see the merchants: it takes others to be few, and sorts all their rows.
      return Prisma.sql`SELECT p.merchant_id, p.created_at, p.id ${from}
        WHERE p.merchant_id = ANY (${merchantIds}::uuid[]) AND ${where} ORDER BY ${order} LIMIT ${limit}`;
    case 'merchant':
      return Prisma.sql`SELECT part.* FROM unnest(${merchantIds}::uuid[]) AS tenant (tenant_id) CROSS JOIN LATERAL (
          SELECT p.merchant_id, p.created_at, p.id ${from}
          WHERE p.merchant_id = tenant_id AND ${where} ORDER BY ${order} LIMIT ${limit}) AS part
        ORDER BY ${order} LIMIT ${limit}`;
    default:
      return by satisfies never;
  }
}

function isOnSide(side: string, { createdAt, id }: TimeKey): Prisma.Sql {
  return Prisma.sql`(p.created_at, p.id) ${Prisma.raw(side)} (${createdAt}::timestamptz, ${id}::uuid)`;
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

import type { Database } from '@switchyard/db';
import { Prisma } from '@switchyard/db/client';
import { countInTime, type TenantList } from '@switchyard/db/lists';

/** Rows that a numbered page may leave out before it: each is read to be counted. */
export const SKIPPED_MAX = 100_000;

/** Rows of one merchant. */
export interface MerchantList extends Pick<TenantList, 'table' | 'conditions'> {
  readonly merchantId: string;
}

/** The ids of a list's rows, newest first, after a number of them. */
export async function readSkipping(
  { prisma }: Database,
  list: MerchantList,
  { skipped, limit }: { readonly skipped: number; readonly limit: number },
): Promise<readonly string[]> {
  const rows = await prisma.$queryRaw<{ readonly id: string }[]>`
    SELECT p.id ${fromWhere(list)} ORDER BY p.created_at DESC, p.id DESC LIMIT ${limit} OFFSET ${skipped}`;
  return rows.map(({ id }) => id);
}

/** The number of a list's rows; null where counting them takes longer than a second. */
export async function countRows({ prisma }: Database, list: MerchantList): Promise<number | null> {
  const counted = await countInTime<{ readonly count: number }>(
    prisma,
    Prisma.sql`SELECT count(*)::int AS count ${fromWhere(list)}`,
  );
  return counted === null ? null : (counted[0]?.count ?? 0);
}

function fromWhere({ table, merchantId, conditions }: MerchantList): Prisma.Sql {
  const where = Prisma.join([Prisma.sql`p.merchant_id = ${merchantId}::uuid`, ...conditions], ' AND ');
  return Prisma.sql`FROM ${Prisma.raw(table)} AS p WHERE ${where}`;
}

import type { Database } from '@switchyard/db';
import { type DiscrepancyState, Prisma, type ReconciliationDiscrepancy } from '@switchyard/db/client';
import { type Filtered, isListed, type NounOf } from '@switchyard/nouns';

/*
 * Reads that every list of discrepancies has, whatever they were found in.
 */

/** A list of discrepancies, with what its table calls by names of its own. */
export interface DiscrepancyList<Filter> extends Pick<NounOf<Filter, string>, 'table' | 'filter' | 'shape' | 'where'> {
  /** SQL of the amount in question. */
  readonly amount: string;
  /** The column that it is sorted by where it is not by the amount, with its PostgreSQL type. */
  readonly sorted: readonly [column: string, type: 'date' | 'timestamptz'];
}

/** The order of a page: by the amount in question, or as the list is sorted. Equal ones follow by id. */
export interface PageOrder {
  readonly byAmount: boolean;
  readonly order: 'asc' | 'desc';
  /** The value and the id of the last discrepancy of the previous page; null from the beginning. */
  readonly after: readonly [value: string | Date, id: string] | null;
  readonly limit: number;
}

/** A discrepancy of a page, with the amount in question: an exact decimal of the main unit. */
export interface SelectedDiscrepancy {
  readonly id: string;
  readonly amount: string;
}

/** The discrepancies of a page. */
export function selectDiscrepancies<Filter>(
  { prisma }: Database,
  list: DiscrepancyList<Filter>,
  filter: NoInfer<Filtered<Filter>>,
  { byAmount, order, after, limit }: PageOrder,
): Promise<SelectedDiscrepancy[]> {
  const [column, type] = byAmount ? [list.amount, 'numeric'] : list.sorted;
  const [key, direction] = [Prisma.raw(column), Prisma.raw(order === 'asc' ? 'ASC' : 'DESC')];
  const beyond = Prisma.raw(order === 'asc' ? '>' : '<');
  const rest =
    after === null
      ? Prisma.sql`true`
      : Prisma.sql`(${key}, p.id) ${beyond} (${after[0]}::${Prisma.raw(type)}, ${after[1]}::uuid)`;
  return prisma.$queryRaw`
    SELECT p.id, ${amountText(list)} AS amount FROM ${Prisma.raw(list.table)} AS p
    WHERE ${isListed(list, filter)} AND ${rest} ORDER BY ${key} ${direction}, p.id ${direction} LIMIT ${limit}`;
}

function amountText({ amount }: { readonly amount: string }): Prisma.Sql {
  return Prisma.raw(`trim_scale(${amount})::text`);
}

/** One discrepancy of these merchants, or none. */
export function selectDiscrepancy(
  client: Pick<Prisma.TransactionClient, '$queryRaw'>,
  list: Pick<DiscrepancyList<unknown>, 'table' | 'amount'>,
  { merchantIds, discrepancyId }: { readonly merchantIds: readonly string[]; readonly discrepancyId: string },
): Promise<SelectedDiscrepancy[]> {
  return client.$queryRaw`
    SELECT p.id, ${amountText(list)} AS amount FROM ${Prisma.raw(list.table)} AS p
    WHERE p.merchant_id = ANY (${merchantIds}::uuid[]) AND p.id = ${discrepancyId}::uuid LIMIT 1`;
}

/** The number of discrepancies of each kind and state. */
export function countByKind<Kind extends string, Filter>(
  { prisma }: Database,
  list: DiscrepancyList<Filter> & { readonly kinds: readonly Kind[] },
  filter: NoInfer<Filtered<Filter>>,
): Promise<{ kind: Kind; state: DiscrepancyState; count: number }[]> {
  return prisma.$queryRaw`
    SELECT p.kind::text AS kind, p.state::text AS state, count(*)::int AS count
    FROM ${Prisma.raw(list.table)} AS p WHERE ${isListed(list, filter)} GROUP BY p.kind, p.state`;
}

/** The staff user of an actor; null for the system and for rules. */
export function staffIdOf(actor: string | null): string | null {
  return actor?.startsWith('staff:') ? actor.slice('staff:'.length) : null;
}

/** Replaces what people wrote about the discrepancies of these payments; what differs stays. Returns how many discrepancies. */
export function eraseTextsIn(
  table: 'reconciliation_discrepancy' | 'settlement_discrepancy',
  transaction: Prisma.TransactionClient,
  merchantId: string,
  paymentIds: readonly string[],
  replacement: string,
): Promise<number> {
  return transaction.$executeRaw`
    UPDATE ${Prisma.raw(table)} SET note = CASE WHEN note IS NULL THEN NULL ELSE ${replacement} END,
      resolution = CASE WHEN resolution IS NULL THEN NULL ELSE ${replacement} END
    WHERE merchant_id = ${merchantId}::uuid AND payment_id = ANY (${[...paymentIds]}::uuid[])
      AND (note IS NOT NULL OR resolution IS NOT NULL)`;
}

const ROWS_MAX = 100_000;

/** The discrepancies about these payments. */
export function readDiscrepanciesOf(
  { prisma }: Database,
  merchantId: string,
  paymentIds: readonly string[],
): Promise<ReconciliationDiscrepancy[]> {
  return prisma.reconciliationDiscrepancy.findMany({
    where: { merchantId, paymentId: { in: [...paymentIds] } },
    orderBy: { id: 'asc' },
    take: ROWS_MAX,
  });
}

/** Replaces what people wrote about these payments' discrepancies; the entries that differ stay. Returns how many discrepancies. */
export const eraseDiscrepancyTexts = eraseTextsIn.bind(null, 'reconciliation_discrepancy');

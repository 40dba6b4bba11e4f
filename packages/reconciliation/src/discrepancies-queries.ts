import type { Database, JsonValue } from '@switchyard/db';
import { type DiscrepancyKind, type Mode, Prisma, type ReconciliationDiscrepancy } from '@switchyard/db/client';
import { isListed } from '@switchyard/nouns';
import { dateOf } from '@switchyard/runtime/calendar-days';
import { countByKind, type SelectedDiscrepancy, selectDiscrepancies, selectDiscrepancy, staffIdOf } from './discrepancy-list.ts';
import { DISCREPANCY_AMOUNT, DISCREPANCY_KINDS, type DiscrepancyFilter, discrepancyNoun } from './discrepancy-noun.ts';
import type { ReconciliationDay } from './runs-queries.ts';

/** A discrepancy to insert. */
export interface NewDiscrepancy {
  readonly discrepancyId: string;
  readonly mode: Mode;
  readonly gateway: string;
  readonly kind: DiscrepancyKind;
  readonly subject: string;
  readonly paymentId: string | null;
  readonly refundId: string | null;
  readonly reference: string | null;
  readonly transactionId: string | null;
  readonly ledger: JsonValue;
  readonly statement: JsonValue;
}

/** The discrepancies of one account's day, locked until the transaction ends. */
export async function lockDiscrepancies(
  transaction: Prisma.TransactionClient,
  { merchantId, accountId, day }: ReconciliationDay,
): Promise<ReconciliationDiscrepancy[]> {
  await transaction.$queryRaw`
    SELECT id FROM reconciliation_discrepancy
    WHERE merchant_id = ${merchantId}::uuid AND account_id = ${accountId}::uuid AND day = ${day}::date FOR UPDATE`;
  return transaction.reconciliationDiscrepancy.findMany({ where: { merchantId, accountId, day: dateOf(day) } });
}

/** Stores the discrepancies that a comparison of one day found for the first time. */
export async function insertDiscrepancies(
  transaction: Prisma.TransactionClient,
  { merchantId, accountId, day }: ReconciliationDay,
  discrepancies: readonly NewDiscrepancy[],
  now: Date,
): Promise<void> {
  await transaction.$executeRaw`
    INSERT INTO reconciliation_discrepancy (merchant_id, account_id, day, id, mode, gateway, kind, subject, state, payment_id, refund_id,
      reference, transaction_id, ledger, statement, created_at)
    SELECT ${merchantId}::uuid, ${accountId}::uuid, ${day}::date, "discrepancyId", mode::mode, gateway, kind::discrepancy_kind, subject, 'OPEN',
      "paymentId", "refundId", reference, "transactionId", ledger, statement, ${now}
    FROM json_to_recordset(${JSON.stringify(discrepancies)}::json) AS found("discrepancyId" uuid, mode text, gateway text, kind text, subject text,
      "paymentId" uuid, "refundId" uuid, reference text, "transactionId" text, ledger json, statement json)`;
}

/** The facts that a later comparison found of a discrepancy. */
export interface ChangedDiscrepancy
  extends Pick<
    NewDiscrepancy,
    'discrepancyId' | 'ledger' | 'statement' | 'paymentId' | 'refundId' | 'reference' | 'transactionId'
  > {}

/** Stores what a later comparison found of discrepancies. */
export async function updateDiscrepancies(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  changed: readonly ChangedDiscrepancy[],
): Promise<void> {
  await transaction.$executeRaw`
    UPDATE reconciliation_discrepancy AS stored SET payment_id = found."paymentId", refund_id = found."refundId", reference = found.reference,
      transaction_id = found."transactionId", ledger = found.ledger, statement = found.statement
    FROM json_to_recordset(${JSON.stringify(changed)}::json) AS found("discrepancyId" uuid, "paymentId" uuid, "refundId" uuid, reference text,
      "transactionId" text, ledger json, statement json)
    WHERE stored.merchant_id = ${merchantId}::uuid AND stored.id = found."discrepancyId"`;
}

/** Opens discrepancies that a comparison found again; gives them as they are then. */
export async function reopenDiscrepancies(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  ids: readonly string[],
): Promise<ReconciliationDiscrepancy[]> {
  const where = { merchantId, id: { in: [...ids] } };
  return transaction.reconciliationDiscrepancy.updateManyAndReturn({
    where,
    data: { state: 'OPEN', resolvedBy: null, resolvedAt: null, resolution: null },
  });
}

/** Resolves discrepancies that a comparison did not find any more. */
export async function resolveFoundNoMore(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  ids: readonly string[],
  resolution: { readonly by: string; readonly why: string; readonly at: Date },
): Promise<void> {
  await transaction.reconciliationDiscrepancy.updateMany({
    where: { merchantId, id: { in: [...ids] } },
    data: { state: 'RESOLVED', resolvedBy: resolution.by, resolvedAt: resolution.at, resolution: resolution.why },
  });
}

/** A discrepancy, locked until the transaction ends; null when the merchant has none with this id. */
export async function lockDiscrepancy(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  discrepancyId: string,
): Promise<ReconciliationDiscrepancy | null> {
  const locked = await transaction.$queryRaw<{ id: string }[]>`
    SELECT id FROM reconciliation_discrepancy WHERE merchant_id = ${merchantId}::uuid AND id = ${discrepancyId}::uuid FOR UPDATE`;
  if (locked.length === 0) return null;
  return transaction.reconciliationDiscrepancy.findUnique({ where: { merchantId_id: { merchantId, id: discrepancyId } } });
}

/** A discrepancy with display names. */
export interface ListedDiscrepancy extends ReconciliationDiscrepancy {
  readonly ownerName: string | null;
  /** Null where it was not resolved by staff. */
  readonly resolvedByName: string | null;
  /** The amount in question, an exact decimal of the main unit. */
  readonly amount: string;
}

/** The order of a list: by reconciled day, or by the amount in question. Equal ones follow by id. */
export interface DiscrepancySort {
  readonly by: 'day' | 'amount';
  readonly order: 'asc' | 'desc';
}

/** The last discrepancy of the previous page. */
export interface DiscrepancyKey {
  readonly day: string;
  readonly amount: string;
  readonly discrepancyId: string;
}

/** The list of discrepancies, by reconciled day. */
const LIST = { ...discrepancyNoun, amount: DISCREPANCY_AMOUNT, sorted: ['p.day', 'date'], kinds: DISCREPANCY_KINDS } as const;

/** A page of discrepancies across merchants. */
export async function readDiscrepancies(
  database: Database,
  filter: DiscrepancyFilter,
  { by, order }: DiscrepancySort,
  after: DiscrepancyKey | null,
  limit: number,
): Promise<ListedDiscrepancy[]> {
  const place = after === null ? null : ([by === 'day' ? after.day : after.amount, after.discrepancyId] as const);
  const page = await selectDiscrepancies(database, LIST, filter, { byAmount: by === 'amount', order, after: place, limit });
  return readSelected(database, filter.merchantIds, page);
}

async function readSelected(
  database: Database,
  merchantIds: readonly string[],
  page: readonly SelectedDiscrepancy[],
): Promise<ListedDiscrepancy[]> {
  const rows = await database.prisma.reconciliationDiscrepancy.findMany({
    where: { merchantId: { in: [...merchantIds] }, id: { in: page.map(({ id }) => id) } },
  });
  const named = new Map((await withNames(database, rows)).map((row) => [row.id, row]));
  return page.flatMap(({ id, amount }) => {
    const row = named.get(id);
    return row === undefined ? [] : [{ ...row, amount }];
  });
}

/** A discrepancy of one of these merchants, or null. */
export async function findDiscrepancyRow(
  database: Database,
  merchantIds: readonly string[],
  discrepancyId: string,
): Promise<ListedDiscrepancy | null> {
  const found = await selectDiscrepancy(database.prisma, LIST, { merchantIds, discrepancyId });
  return (await readSelected(database, merchantIds, found))[0] ?? null;
}

/** The amount in question of one discrepancy, an exact decimal of the main unit; `0` where there is none. */
export async function readDiscrepancyAmount(
  transaction: Prisma.TransactionClient,
  { merchantId, id: discrepancyId }: { readonly merchantId: string; readonly id: string },
): Promise<string> {
  const [found] = await selectDiscrepancy(transaction, LIST, { merchantIds: [merchantId], discrepancyId });
  return found?.amount ?? '0';
}

/** Discrepancies counted by kind and state. */
export function countDiscrepancies(database: Database, filter: DiscrepancyFilter) {
  return countByKind(database, LIST, filter);
}

/** Discrepancies of one age and currency. */
export interface AgedDiscrepancies {
  /** Index of the first bound that the age in days does not exceed; the number of bounds where it exceeds all. */
  readonly bucket: number;
  /** Null where neither side names one. */
  readonly currency: string | null;
  readonly count: number;
  readonly unowned: number;
  /** The amounts in question together, an exact decimal of the main unit. */
  readonly amount: string;
}

/** Discrepancies counted by age on `today`: the days since the reconciled day, up to and including each bound. */
export function countByAge(
  database: Database,
  filter: DiscrepancyFilter,
  { today, bounds }: { readonly today: string; readonly bounds: readonly number[] },
): Promise<AgedDiscrepancies[]> {
  return database.prisma.$queryRaw`
    SELECT width_bucket(${today}::date - p.day - 1, ${[...bounds]}::int[]) AS bucket,
      coalesce(p.statement->>'currency', p.ledger->>'currency') AS currency, count(*)::int AS count,
      count(*) FILTER (WHERE p.owner_id IS NULL)::int AS unowned, trim_scale(sum(${Prisma.raw(DISCREPANCY_AMOUNT)}))::text AS amount
    FROM reconciliation_discrepancy AS p WHERE ${isListed(discrepancyNoun, filter)} GROUP BY 1, 2 ORDER BY 1, 2`;
}

async function withNames(
  database: Database,
  rows: readonly ReconciliationDiscrepancy[],
): Promise<Omit<ListedDiscrepancy, 'amount'>[]> {
  const ids = [
    ...new Set(rows.flatMap(({ ownerId, resolvedBy }) => [ownerId, staffIdOf(resolvedBy)].filter((id) => id !== null))),
  ];
  const where = { id: { in: ids } };
  const people = ids.length === 0 ? [] : await database.prisma.staffUser.findMany({ where, select: { id: true, name: true } });
  const names = new Map<string | null, string>(people.map(({ id, name }) => [id, name]));
  return rows.map((row) => ({
    ...row,
    ownerName: names.get(row.ownerId) ?? null,
    resolvedByName: names.get(staffIdOf(row.resolvedBy)) ?? null,
  }));
}

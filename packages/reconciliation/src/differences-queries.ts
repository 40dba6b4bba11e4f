import type { Database, JsonValue } from '@switchyard/db';
import {
  type DiscrepancyKind,
  type DiscrepancyState,
  type Mode,
  Prisma,
  type ReconciliationDiscrepancy,
} from '@switchyard/db/client';
import { dateOf, type ReconciliationDay } from './runs-queries.ts';

/** A difference about to be recorded. */
export interface NewDifference {
  readonly differenceId: string;
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

/** Every difference of one account's day, locked until the transaction ends. */
export async function lockDifferences(
  transaction: Prisma.TransactionClient,
  { merchantId, accountId, day }: ReconciliationDay,
): Promise<ReconciliationDiscrepancy[]> {
  await transaction.$queryRaw`
    SELECT id FROM reconciliation_discrepancy
    WHERE merchant_id = ${merchantId}::uuid AND account_id = ${accountId}::uuid AND day = ${day}::date FOR UPDATE`;
  return transaction.reconciliationDiscrepancy.findMany({ where: { merchantId, accountId, day: dateOf(day) } });
}

export async function insertDifferences(
  transaction: Prisma.TransactionClient,
  { merchantId, accountId, day }: ReconciliationDay,
  differences: readonly NewDifference[],
  now: Date,
): Promise<void> {
  await transaction.reconciliationDiscrepancy.createMany({
    data: differences.map(({ differenceId, ledger, statement, ...rest }) => ({
      ...rest,
      merchantId,
      accountId,
      id: differenceId,
      day: dateOf(day),
      state: 'OPEN' as const,
      ledger: nullable(ledger),
      statement: nullable(statement),
      createdAt: now,
      updatedAt: now,
    })),
  });
}

/** What may change of a difference. */
export interface DifferenceChange {
  readonly facts?: {
    readonly ledger: JsonValue;
    readonly statement: JsonValue;
    readonly paymentId: string | null;
    readonly refundId: string | null;
    readonly reference: string | null;
    readonly transactionId: string | null;
  };
  readonly ownerId?: string | null;
  readonly note?: string | null;
  /** Null opens it again. */
  readonly settled?: {
    readonly state: Exclude<DiscrepancyState, 'OPEN'>;
    readonly by: string;
    readonly why: string;
  } | null;
}

export function updateDifference(
  transaction: Prisma.TransactionClient,
  { merchantId, id }: { readonly merchantId: string; readonly id: string },
  { facts, ownerId, note, settled }: DifferenceChange,
  now: Date,
): Promise<ReconciliationDiscrepancy> {
  return transaction.reconciliationDiscrepancy.update({
    where: { merchantId_id: { merchantId, id } },
    data: {
      updatedAt: now,
      ...(facts && { ...facts, ledger: nullable(facts.ledger), statement: nullable(facts.statement) }),
      ...(ownerId !== undefined && { ownerId }),
      ...(note !== undefined && { note }),
      ...(settled === null && { state: 'OPEN', resolvedBy: null, resolvedAt: null, resolution: null }),
      ...(settled && { state: settled.state, resolvedBy: settled.by, resolvedAt: now, resolution: settled.why }),
    },
  });
}

/** A difference, locked until the transaction ends; null when the merchant has none such. */
export async function lockDifference(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  differenceId: string,
): Promise<ReconciliationDiscrepancy | null> {
  const held = await transaction.$queryRaw<{ id: string }[]>`
    SELECT id FROM reconciliation_discrepancy WHERE merchant_id = ${merchantId}::uuid AND id = ${differenceId}::uuid FOR UPDATE`;
  if (held.length === 0) return null;
  return transaction.reconciliationDiscrepancy.findUnique({ where: { merchantId_id: { merchantId, id: differenceId } } });
}

/** A difference with the names people know. */
export interface ListedDifference extends ReconciliationDiscrepancy {
  readonly ownerName: string | null;
  /** Null where no person settled it. */
  readonly resolvedByName: string | null;
}

export interface DifferenceFilter {
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  /** Empty for any. */
  readonly states: readonly DiscrepancyState[];
  /** Empty for any. */
  readonly kinds: readonly DiscrepancyKind[];
  readonly accountId: string | null;
  /** First and last day, `YYYY-MM-DD`. */
  readonly from: string | null;
  readonly to: string | null;
  readonly ownerId: string | null;
}

/** The last difference of the page before. */
export interface DifferenceKey {
  readonly day: string;
  readonly differenceId: string;
}

function differenceWhere(filter: DifferenceFilter): Prisma.ReconciliationDiscrepancyWhereInput {
  const { accountId, from, to, ownerId } = filter;
  return {
    merchantId: { in: [...filter.merchantIds] },
    mode: filter.mode,
    ...(filter.states.length > 0 && { state: { in: [...filter.states] } }),
    ...(filter.kinds.length > 0 && { kind: { in: [...filter.kinds] } }),
    ...(accountId !== null && { accountId }),
    ...(ownerId !== null && { ownerId }),
    day: { ...(from !== null && { gte: dateOf(from) }), ...(to !== null && { lte: dateOf(to) }) },
  };
}

/** Differences across merchants, the latest day first. */
export async function readDifferences(
  database: Database,
  filter: DifferenceFilter,
  after: DifferenceKey | null,
  limit: number,
): Promise<ListedDifference[]> {
  const rows = await database.prisma.reconciliationDiscrepancy.findMany({
    where: {
      ...differenceWhere(filter),
      ...(after !== null && {
        OR: [{ day: { lt: dateOf(after.day) } }, { day: dateOf(after.day), id: { lt: after.differenceId } }],
      }),
    },
    orderBy: [{ day: 'desc' }, { id: 'desc' }],
    take: limit,
  });
  return withNames(database, rows);
}

/** A difference of one of these merchants, or null. */
export async function findDifferenceRow(
  database: Database,
  merchantIds: readonly string[],
  differenceId: string,
): Promise<ListedDifference | null> {
  const row = await database.prisma.reconciliationDiscrepancy.findFirst({
    where: { merchantId: { in: [...merchantIds] }, id: differenceId },
  });
  return row === null ? null : ((await withNames(database, [row]))[0] ?? null);
}

/** How many differences there are of each kind and state. */
export async function countDifferences(
  database: Database,
  filter: DifferenceFilter,
): Promise<{ kind: DiscrepancyKind; state: DiscrepancyState; count: number }[]> {
  const groups = await database.prisma.reconciliationDiscrepancy.groupBy({
    by: ['kind', 'state'],
    where: differenceWhere(filter),
    _count: { _all: true },
  });
  return groups.map(({ kind, state, _count }) => ({ kind, state, count: _count._all }));
}

async function withNames(database: Database, rows: readonly ReconciliationDiscrepancy[]): Promise<ListedDifference[]> {
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

function staffIdOf(actor: string | null): string | null {
  return actor?.startsWith('staff:') ? actor.slice('staff:'.length) : null;
}

function nullable(value: JsonValue): Prisma.InputJsonValue | typeof Prisma.DbNull {
  return value === null ? Prisma.DbNull : JSON.parse(JSON.stringify(value));
}

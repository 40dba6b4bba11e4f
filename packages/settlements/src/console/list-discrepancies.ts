import type {
  DiscrepancyState,
  Mode,
  Prisma,
  SettlementDiscrepancy,
  SettlementDiscrepancyKind,
  SettlementLineKind,
} from '@switchyard/db/client';
import { type BulkResult, changeEach, changesOf, type Resolution } from '@switchyard/reconciliation/discrepancy-changes';
import {
  countByKind,
  type SelectedDiscrepancy,
  selectDiscrepancies,
  selectDiscrepancy,
} from '@switchyard/reconciliation/discrepancy-list';
import { calendarDay, dayText } from '@switchyard/runtime/calendar-days';
import { readStaffNames } from '@switchyard/staff/staff-names';
import { auditDiscrepancy } from '../audit.ts';
import { daysBetween, SETTLEMENT_ZONE } from '../calendar.ts';
import type { SettlementContext } from '../context.ts';
import {
  SETTLEMENT_ABOUTS,
  SETTLEMENT_AMOUNT,
  SETTLEMENT_DISCREPANCY_KINDS,
  type SettlementAbout,
  type SettlementDiscrepancyFilter,
  settlementDiscrepancyNoun,
} from '../nouns.ts';
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

/** The list of discrepancies, by when they were found. */
const LIST = {
  ...settlementDiscrepancyNoun,
  amount: SETTLEMENT_AMOUNT,
  sorted: ['p.created_at', 'timestamptz'],
  kinds: SETTLEMENT_DISCREPANCY_KINDS,
} as const;

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
  const place = after === null ? null : ([sort.by === 'created' ? after.createdAt : after.amount, after.discrepancyId] as const);
  const part = { byAmount: sort.by === 'amount', order: sort.order, after: place, limit: limit + 1 };
  const page = await selectDiscrepancies(context.resources.database, LIST, query, part);
  const items = await readItems(context, query.merchantIds, page.slice(0, limit));
  const last = items.at(-1);
  if (page.length <= limit || last === undefined) return { items, next: null };
  const { createdAt, amount, discrepancyId } = last;
  return { items, next: { createdAt, amount, discrepancyId } };
}

/** One discrepancy; null when none of these merchants has it. */
export async function findSettlementDiscrepancy(
  context: SettlementContext,
  key: { readonly merchantIds: readonly string[]; readonly discrepancyId: string },
): Promise<SettlementDiscrepancyItem | null> {
  const found = await selectDiscrepancy(context.resources.database.prisma, LIST, key);
  return (await readItems(context, key.merchantIds, found))[0] ?? null;
}

/** The number of discrepancies of each kind and state. */
export function countSettlementDiscrepancies({ resources }: SettlementContext, filter: SettlementDiscrepancyFilter) {
  return countByKind(resources.database, LIST, filter);
}

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

export const {
  note: noteSettlementDiscrepancy,
  assign: assignSettlementDiscrepancy,
  resolve: resolveSettlementDiscrepancy,
  resolveOpen: resolveOpenSettlementDiscrepancy,
  reopen: reopenSettlementDiscrepancy,
} = changesOf({
  actions: 'settlements',
  lock: lockDiscrepancy,
  update: (transaction, { merchantId, id }, data) =>
    transaction.settlementDiscrepancy.update({ where: { merchantId_id: { merchantId, id } }, data }),
  audit: auditDiscrepancy,
});

async function lockDiscrepancy(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  id: string,
): Promise<SettlementDiscrepancy | null> {
  const locked = await transaction.$queryRaw<{ id: string }[]>`
    SELECT id FROM settlement_discrepancy WHERE merchant_id = ${merchantId}::uuid AND id = ${id}::uuid FOR UPDATE`;
  if (locked.length === 0) return null;
  return transaction.settlementDiscrepancy.findUnique({ where: { merchantId_id: { merchantId, id } } });
}

/** A change of several discrepancies. */
export type SettlementBulkChange =
  | { readonly kind: 'assign'; readonly ownerId: string | null }
  | { readonly kind: 'note'; readonly note: string | null }
  /** Only those that are open. */
  | ({ readonly kind: 'resolve' } & Resolution)
  | { readonly kind: 'reopen' };

/** Changes several discrepancies, as {@link changeEach} does. */
export function changeSettlementDiscrepancies(
  context: SettlementContext,
  { change, ...of }: Parameters<typeof changeEach>[1] & { readonly change: SettlementBulkChange },
): Promise<BulkResult[]> {
  return changeEach(context, of, (command) => {
    switch (change.kind) {
      case 'assign':
        return assignSettlementDiscrepancy(context, { ...command, ownerId: change.ownerId });
      case 'note':
        return noteSettlementDiscrepancy(context, { ...command, note: change.note });
      case 'resolve':
        return resolveOpenSettlementDiscrepancy(context, { ...command, as: change.as, why: change.why });
      case 'reopen':
        return reopenSettlementDiscrepancy(context, command);
      default:
        return change satisfies never;
    }
  });
}

import {
  type Mode,
  Prisma,
  type SettlementLineKind,
  type SettlementLinkedBy,
  type SettlementRoad,
  type SettlementStatus,
} from '@switchyard/db/client';
import { isListed } from '@switchyard/nouns';
import { addDays, calendarDay, dayText, firstMoment } from '@switchyard/runtime/calendar-days';
import { inSnapshot } from '@switchyard/runtime/in-snapshot';
import { SETTLEMENT_ZONE } from '../calendar.ts';
import type { SettlementContext } from '../context.ts';
import { PAYOUT_DAY, type SettlementFilter, settlementNoun } from '../nouns.ts';
import { accountNames, pageLimit } from './names.ts';

/** A payout of a gateway. Amounts are exact decimals of the main unit, days `YYYY-MM-DD`. */
export interface SettlementItem {
  readonly settlementId: string;
  readonly merchantId: string;
  readonly merchantName: string;
  readonly mode: Mode;
  readonly accountId: string;
  readonly accountLabel: string;
  readonly gateway: string;
  readonly gatewayTitle: string;
  readonly reference: string;
  readonly road: SettlementRoad;
  readonly status: SettlementStatus;
  readonly currency: string;
  readonly gross: string;
  readonly fees: string;
  readonly deductions: string;
  readonly net: string;
  readonly settledOn: string | null;
  readonly periodFrom: Date | null;
  readonly periodTo: Date | null;
  readonly lineCount: number;
  /** Sum of its matched lines, each without its sign. */
  readonly explained: string;
  /** The same of lines that are not matched, and of the residue. */
  readonly unexplained: string;
  /** Sum of lines that are not matched, with their signs. */
  readonly unmatched: string;
  readonly openDiscrepancies: number;
  /** A sentence about the gateway's status, where its documentation does not list it; null where it does. */
  readonly unrecognised: string | null;
  readonly createdAt: Date;
}

/** The last settlement of the previous page. */
export interface SettlementKey {
  readonly settledOn: string | null;
  readonly settlementId: string;
}

/** A page of settlements; `next` is null on the last one. */
export interface SettlementPage {
  readonly items: readonly SettlementItem[];
  readonly next: SettlementKey | null;
}

/** A page of settlements, 500 at most: those without a day first, then the newest. */
export function listSettlements(context: SettlementContext, query: SettlementQuery): Promise<SettlementPage> {
  return inSnapshot(context, (snapshot) => readPage(snapshot, query));
}

type SettlementQuery = SettlementFilter & { readonly after: SettlementKey | null; readonly limit: number };

async function readPage(context: SettlementContext, query: SettlementQuery): Promise<SettlementPage> {
  const { after } = query;
  const limit = pageLimit(query.limit);
  const { prisma } = context.resources.database;
  const isAfter =
    after === null
      ? Prisma.sql`true`
      : Prisma.sql`(${Prisma.raw(PAYOUT_DAY)}, p.id) < (coalesce(${after.settledOn}::date, 'infinity'), ${after.settlementId}::uuid)`;
  const page = await prisma.$queryRaw<{ id: string }[]>`
    SELECT p.id FROM settlement AS p WHERE ${isListed(settlementNoun, query)} AND ${isAfter}
    ORDER BY ${Prisma.raw(PAYOUT_DAY)} DESC, p.id DESC LIMIT ${limit + 1}`;
  const items = await readItems(
    context,
    query.merchantIds,
    page.slice(0, limit).map(({ id }) => id),
  );
  const last = items.at(-1);
  if (page.length <= limit || last === undefined) return { items, next: null };
  return { items, next: { settledOn: last.settledOn, settlementId: last.settlementId } };
}

/** The lines of one kind together. */
export interface SettlementTotal {
  readonly kind: SettlementLineKind;
  readonly count: number;
  readonly amount: string;
  readonly unmatchedCount: number;
  readonly unmatchedAmount: string;
}

/** Payments of an account on days, both inclusive, `YYYY-MM-DD` in Africa/Lagos. The amount is an exact decimal of the main unit. */
export interface SettlementSales {
  readonly from: string;
  readonly to: string;
  readonly count: number;
  readonly amount: string;
}

/** A settlement with its lines added up by kind. */
export interface WholeSettlement extends SettlementItem {
  /** The sum that its account received on the days of its payments, settled or not; null where these days are not known. */
  readonly sales: SettlementSales | null;
  readonly totals: readonly SettlementTotal[];
  /** The gateway's record with a status that is not recognised, redacted; null where it is. */
  readonly unrecognisedRecord: string | null;
}

/** A settlement with its lines added up by kind; null when none of these merchants has it. */
export function findSettlement(context: SettlementContext, key: SettlementOf): Promise<WholeSettlement | null> {
  return inSnapshot(context, (snapshot) => readSettlement(snapshot, key));
}

interface SettlementOf {
  readonly merchantIds: readonly string[];
  readonly settlementId: string;
}

async function readSettlement(
  context: SettlementContext,
  { merchantIds, settlementId }: SettlementOf,
): Promise<WholeSettlement | null> {
  const [item] = await readItems(context, merchantIds, [settlementId]);
  if (item === undefined) return null;
  const totals = await context.resources.database.prisma.$queryRaw<SettlementTotal[]>`
    SELECT kind::text AS kind, count(*)::int AS count, trim_scale(sum(amount))::text AS amount,
      count(*) FILTER (WHERE linked_by IS NULL)::int AS "unmatchedCount",
      trim_scale(coalesce(sum(amount) FILTER (WHERE linked_by IS NULL), 0))::text AS "unmatchedAmount"
    FROM settlement_line AS line WHERE merchant_id = ${item.merchantId}::uuid AND settlement_id = ${settlementId}::uuid
    GROUP BY line.kind ORDER BY line.kind`;
  const row = await context.resources.database.prisma.settlement.findUnique({
    where: { merchantId_id: { merchantId: item.merchantId, id: settlementId } },
    select: { unrecognisedRecord: true },
  });
  return { ...item, totals, sales: await readSales(context, item), unrecognisedRecord: row?.unrecognisedRecord ?? null };
}

async function readSales({ resources }: SettlementContext, settlement: SettlementItem): Promise<SettlementSales | null> {
  const { merchantId, accountId, currency, periodFrom, periodTo } = settlement;
  if (periodFrom === null || periodTo === null) return null;
  const [from, to] = [calendarDay(periodFrom, SETTLEMENT_ZONE), calendarDay(periodTo, SETTLEMENT_ZONE)];
  const [sum] = await resources.database.prisma.$queryRaw<Pick<SettlementSales, 'count' | 'amount'>[]>`
    SELECT count(*)::int AS count, trim_scale(coalesce(sum(coalesce(received_amount, amount)), 0))::text AS amount
    FROM payment WHERE merchant_id = ${merchantId}::uuid AND account_id = ${accountId}::uuid AND status IN ('SUCCESS', 'REFUNDED')
      AND coalesce(received_currency, currency) = ${currency}::bpchar
      AND paid_at >= ${firstMoment(from, SETTLEMENT_ZONE)}::timestamptz
      AND paid_at < ${firstMoment(addDays(to, 1), SETTLEMENT_ZONE)}::timestamptz`;
  return { from, to, count: sum?.count ?? 0, amount: sum?.amount ?? '0' };
}

async function readItems(
  context: SettlementContext,
  merchantIds: readonly string[],
  ids: readonly string[],
): Promise<SettlementItem[]> {
  if (ids.length === 0) return [];
  const { prisma } = context.resources.database;
  const merchantId = { in: [...merchantIds] };
  const [rows, open, unmatched] = await Promise.all([
    prisma.settlement.findMany({ where: { merchantId, id: { in: [...ids] } } }),
    prisma.settlementDiscrepancy.groupBy({
      by: ['settlementId'],
      where: { merchantId, settlementId: { in: [...ids] }, state: 'OPEN' },
      _count: true,
    }),
    prisma.settlementLine.groupBy({
      by: ['settlementId'],
      where: { merchantId, settlementId: { in: [...ids] }, linkedBy: null },
      _sum: { amount: true },
    }),
  ]);
  const unmatchedOf = new Map(unmatched.map(({ settlementId, _sum }) => [settlementId, _sum.amount?.toFixed() ?? '0']));
  const openOf = new Map(open.map(({ settlementId, _count }) => [settlementId, _count]));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id): SettlementItem[] => {
    const row = byId.get(id);
    if (row === undefined) return [];
    return [
      {
        settlementId: row.id,
        merchantId: row.merchantId,
        mode: row.mode,
        accountId: row.accountId,
        ...accountNames(context, row),
        reference: row.reference,
        road: row.road,
        status: row.status,
        currency: row.currency,
        gross: row.gross.toFixed(),
        fees: row.fees.toFixed(),
        deductions: row.deductions.toFixed(),
        net: row.net.toFixed(),
        settledOn: row.settledOn === null ? null : dayText(row.settledOn),
        periodFrom: row.periodFrom,
        periodTo: row.periodTo,
        lineCount: row.lineCount,
        explained: row.explained.toFixed(),
        unexplained: row.unexplained.toFixed(),
        unmatched: unmatchedOf.get(row.id) ?? '0',
        openDiscrepancies: openOf.get(row.id) ?? 0,
        unrecognised: row.unrecognised,
        createdAt: row.createdAt,
      },
    ];
  });
}

/** One amount in a settlement. */
export interface SettlementLineItem {
  readonly lineId: string;
  readonly position: number;
  readonly kind: SettlementLineKind;
  /** Exact decimal of the main unit; negative where it takes off the net amount. */
  readonly amount: string;
  readonly currency: string;
  readonly reference: string | null;
  readonly transactionId: string | null;
  readonly description: string | null;
  readonly occurredAt: Date | null;
  readonly paymentId: string | null;
  readonly refundId: string | null;
  readonly disputeId: string | null;
  /** Subjects that it is linked to: one, or the refunds and disputes that one amount deducts together: `refund/<id>`, `dispute/<id>`. */
  readonly subjects: readonly string[];
  /** Null while it is not matched. */
  readonly linkedBy: SettlementLinkedBy | null;
  readonly merchantOrderId: string | null;
  /** The discrepancy about this line, or about the payment, refund or dispute it is linked to; null without one. */
  readonly discrepancyId: string | null;
}

/** Filter of the lines of a settlement. An empty list matches any kind. */
export interface SettlementLineQuery {
  readonly merchantIds: readonly string[];
  readonly settlementId: string;
  readonly kinds: readonly SettlementLineKind[];
  readonly unmatchedOnly: boolean;
  /** The position of the last line of the previous page. */
  readonly after: number | null;
  readonly limit: number;
}

/** A page of lines; `next` is null on the last one. */
export interface SettlementLinePage {
  readonly items: readonly SettlementLineItem[];
  readonly next: number | null;
}

/** A page of a settlement's lines in the gateway's order, 500 at most. */
export async function listSettlementLines(context: SettlementContext, query: SettlementLineQuery): Promise<SettlementLinePage> {
  const { settlementId, kinds, unmatchedOnly, after } = query;
  const limit = pageLimit(query.limit);
  const merchantId = { in: [...query.merchantIds] };
  const { prisma } = context.resources.database;
  const rows = await prisma.settlementLine.findMany({
    where: {
      merchantId,
      settlementId,
      ...(kinds.length > 0 && { kind: { in: [...kinds] } }),
      ...(unmatchedOnly && { linkedBy: null }),
      ...(after !== null && { position: { gt: after } }),
    },
    orderBy: { position: 'asc' },
    take: limit + 1,
  });
  const page = rows.slice(0, limit);
  const subjects = page.flatMap((line) => [`line/${line.id}`, ...line.subjects]);
  const accountId = { in: [...new Set(page.map((line) => line.accountId))] };
  const [orders, found] = await Promise.all([
    prisma.payment.findMany({
      where: { merchantId, id: { in: page.flatMap(({ paymentId }) => paymentId ?? []) } },
      select: { id: true, merchantOrderId: true },
    }),
    prisma.settlementDiscrepancy.findMany({
      where: { merchantId, accountId, subject: { in: subjects } },
      select: { id: true, subject: true },
    }),
  ]);
  const orderOf = new Map(orders.map(({ id, merchantOrderId }) => [id, merchantOrderId]));
  const discrepancyOf = new Map(found.map(({ id, subject }) => [subject, id]));
  const items = page.map((line): SettlementLineItem => {
    const about = [...line.subjects, `line/${line.id}`].find((subject) => discrepancyOf.has(subject));
    return {
      lineId: line.id,
      position: line.position,
      kind: line.kind,
      amount: line.amount.toFixed(),
      currency: line.currency,
      reference: line.reference,
      transactionId: line.transactionId,
      description: line.description,
      occurredAt: line.occurredAt,
      paymentId: line.paymentId,
      refundId: line.refundId,
      disputeId: line.disputeId,
      subjects: line.subjects,
      linkedBy: line.linkedBy,
      merchantOrderId: orderOf.get(line.paymentId ?? '') ?? null,
      discrepancyId: discrepancyOf.get(about ?? '') ?? null,
    };
  });
  return { items, next: rows.length > limit ? (items.at(-1)?.position ?? null) : null };
}

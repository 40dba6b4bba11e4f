import type { SettlementLineKind, SettlementLinkedBy } from '@switchyard/db/client';
import type { SettlementContext } from '../context.ts';
import { pageLimit } from './names.ts';

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

/** Which lines of a settlement. An empty list matches any kind. */
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

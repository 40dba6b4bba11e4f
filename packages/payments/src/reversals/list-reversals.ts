import type { Database } from '@switchyard/db';
import type { Dispute, Mode } from '@switchyard/db/client';
import type { ReversalCause } from '../life-cycle/payment-record.ts';

/** How long after it was taken back money stays on the lists of what needs attention. */
export const REVERSALS_SHOWN_MS = 7 * 24 * 3_600_000;

interface ListQuery {
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  readonly limit: number;
}

/** A dispute that is not decided, with its payment's order. */
export interface OpenDispute
  extends Pick<Dispute, 'merchantId' | 'paymentId' | 'gateway' | 'category' | 'currency' | 'dueAt' | 'openedAt'> {
  readonly disputeId: string;
  readonly merchantOrderId: string;
  /** Exact decimal of the main unit. */
  readonly amount: string;
  /** False once it was answered. */
  readonly needsResponse: boolean;
}

/** Open disputes of merchants, those due first at the beginning. */
export async function listOpenDisputes({ prisma }: Database, { merchantIds, mode, limit }: ListQuery): Promise<OpenDispute[]> {
  const rows = await prisma.dispute.findMany({
    where: { merchantId: { in: [...merchantIds] }, mode, state: { in: ['NEEDS_RESPONSE', 'UNDER_REVIEW'] } },
    include: { payment: { select: { merchantOrderId: true } } },
    orderBy: [{ state: 'asc' }, { dueAt: { sort: 'asc', nulls: 'last' } }, { id: 'asc' }],
    take: limit,
  });
  return rows.map(({ id, payment, amount, state, merchantId, paymentId, gateway, category, currency, dueAt, openedAt }) => ({
    disputeId: id,
    merchantId,
    paymentId,
    merchantOrderId: payment.merchantOrderId,
    gateway,
    category,
    amount: amount.toFixed(),
    currency,
    needsResponse: state === 'NEEDS_RESPONSE',
    dueAt,
    openedAt,
  }));
}

/** A payment of which a gateway took money back. */
export interface RecentReversal {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly merchantOrderId: string;
  readonly gateway: string;
  /** Exact decimal of the main unit. */
  readonly amount: string;
  readonly currency: string;
  readonly cause: ReversalCause;
  readonly reversedAt: Date;
}

/** Payments of merchants reversed since a time, the latest first. */
export async function listRecentReversals(
  { prisma }: Database,
  { merchantIds, mode, limit, since }: ListQuery & { readonly since: Date },
): Promise<RecentReversal[]> {
  const rows = await prisma.payment.findMany({
    where: { merchantId: { in: [...merchantIds] }, mode, reversedAt: { not: null, gte: since } },
    orderBy: [{ reversedAt: 'desc' }, { id: 'desc' }],
    take: limit,
    select: {
      merchantId: true,
      id: true,
      merchantOrderId: true,
      accountGateway: true,
      recommendedGateway: true,
      reversedAmount: true,
      reversedAt: true,
      reversalCause: true,
      currency: true,
    },
  });
  return rows.map((row) => ({
    merchantId: row.merchantId,
    paymentId: row.id,
    merchantOrderId: row.merchantOrderId,
    gateway: row.accountGateway ?? row.recommendedGateway,
    amount: row.reversedAmount.toFixed(),
    currency: row.currency,
    cause: row.reversalCause === 'chargeback' ? 'chargeback' : 'gateway',
    reversedAt: row.reversedAt ?? since,
  }));
}

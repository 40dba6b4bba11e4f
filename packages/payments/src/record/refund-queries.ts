import type { Database } from '@switchyard/db';
import { type Attempt, type Mode, Prisma, type Refund, type RefundState, type ReviewState } from '@switchyard/db/client';
import { type ReversalColumns, toReversal } from './decide-reversal.ts';
import type { PaymentRecord } from './payment-record.ts';

const MONEY_MAX = 100;

/** A payment whose row the caller's transaction has locked: it cannot change until that ends. */
export interface LockedPayment
  extends Pick<
    PaymentRecord,
    | 'merchantId'
    | 'paymentId'
    | 'mode'
    | 'merchantOrderId'
    | 'status'
    | 'amount'
    | 'currency'
    | 'gatewayReference'
    | 'expiresAt'
    | 'version'
    | 'reversal'
  > {
  readonly review: ReviewState | null;
  readonly reviewReason: string | null;
  /** Whole main units. */
  readonly refundedAmount: bigint;
}

/** Locks a payment's row until the transaction ends; null when the merchant has no such payment. */
export async function lockPayment(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  paymentId: string,
): Promise<LockedPayment | null> {
  const [payment] = await lockPayments(transaction, merchantId, [paymentId]);
  return payment ?? null;
}

/** Several payments in the order of their ids, locked until the transaction ends; with `Prisma.empty` in place of the lock, as they are. */
export async function lockPayments(
  client: Prisma.TransactionClient,
  merchantId: string,
  paymentIds: readonly string[],
  lock = Prisma.sql`FOR UPDATE`,
): Promise<LockedPayment[]> {
  const rows = await client.$queryRaw<(Omit<LockedPayment, 'reversal'> & ReversalColumns)[]>`
    SELECT merchant_id AS "merchantId", id AS "paymentId", mode::text AS mode, merchant_order_id AS "merchantOrderId",
      status::text AS status, amount, currency::text AS currency, gateway_reference AS "gatewayReference",
      expires_at AS "expiresAt", version, review::text AS review, review_reason AS "reviewReason",
      refunded_amount AS "refundedAmount", trim_scale(reversed_amount)::text AS "reversedAmount", reversed_at AS "reversedAt",
      reversal_cause AS "reversalCause"
    FROM payment WHERE merchant_id = ${merchantId}::uuid AND id = ANY (${[...paymentIds]}::uuid[]) ORDER BY id ${lock}`;
  return rows.map(({ reversedAmount, reversedAt, reversalCause, ...payment }) => ({
    ...payment,
    reversal: toReversal({ reversedAmount, reversedAt, reversalCause }),
  }));
}

/** The gateway transaction to refund. */
export interface RefundedMoney {
  readonly attemptId: string;
  readonly accountId: string;
  readonly gateway: string;
  readonly transactionId: string;
}

/** A refund about to be recorded. */
export interface NewRefund extends RefundedMoney {
  readonly merchantId: string;
  readonly refundId: string;
  readonly mode: Mode;
  readonly paymentId: string;
  /** Whole main units. */
  readonly amount: bigint;
  readonly currency: string;
  readonly reason: string | null;
  readonly reasonCode: string | null;
  readonly reference: string;
  readonly requestedBy: string;
  readonly duplicate: boolean;
  readonly mismatched: boolean;
  readonly nextCheckAt: Date;
}

/** Records a refund that has not been sent. The caller has locked the payment. */
export async function insertRefund(
  transaction: Prisma.TransactionClient,
  { refundId, ...refund }: NewRefund,
  now: Date,
): Promise<Refund> {
  return transaction.refund.create({ data: { ...refund, id: refundId, state: 'REQUESTED', createdAt: now, updatedAt: now } });
}

/** Attempts of a payment that brought money, by position. The caller has locked the payment. */
export function listPaidAttempts(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  paymentId: string,
): Promise<Attempt[]> {
  return transaction.attempt.findMany({
    where: { merchantId, paymentId, receivedAmount: { not: null }, transactionId: { not: null } },
    orderBy: { position: 'asc' },
    take: MONEY_MAX,
  });
}

/** Changes of a refund. Omitted fields stay unchanged. */
export interface RefundChange {
  readonly state?: RefundState;
  readonly gatewayRefundId?: string;
  readonly failureMessage?: string | null;
  readonly sentAt?: Date | null;
  readonly heldAt?: Date | null;
  readonly clearedAt?: Date;
  readonly nextCheckAt?: Date | null;
}

/** Changes a refund that still has this version; false when it has moved on, and nothing was changed. */
export async function changeRefund(
  transaction: Prisma.TransactionClient,
  { merchantId, id, version }: Pick<Refund, 'merchantId' | 'id' | 'version'>,
  change: RefundChange,
  now: Date,
): Promise<boolean> {
  const { count } = await transaction.refund.updateMany({
    where: { merchantId, id, version },
    data: { ...change, version: { increment: 1 }, updatedAt: now },
  });
  return count === 1;
}

/** Failed refunds of a payment's own money that are not resolved. */
const UNRESOLVED = { state: 'FAILED', duplicate: false, mismatched: false, resolvedAt: null } as const;

/** True if a refund failed, returns the payment's own money, and is not resolved. */
export function isUnresolvedRefund({ state, duplicate, mismatched, resolvedAt }: RefundOutcome): boolean {
  return state === 'FAILED' && !duplicate && !mismatched && resolvedAt === null;
}

type RefundOutcome = Pick<Refund, keyof typeof UNRESOLVED>;

/** The resolution of a failed refund. */
export interface RefundResolution {
  readonly resolvedBy: string;
  readonly resolvedAt: Date;
}

/** Resolves the payment's failed refunds of at most `amount`: a new refund replaces them. The caller has locked the payment. */
export async function resolveFailedRefunds(
  transaction: Prisma.TransactionClient,
  { merchantId, paymentId, amount }: { merchantId: string; paymentId: string; amount: bigint },
  resolution: RefundResolution,
): Promise<void> {
  await transaction.refund.updateMany({
    where: { ...UNRESOLVED, merchantId, paymentId, amount: { lte: amount } },
    data: resolution,
  });
}

/** Resolves one failed refund with a note; false when it did not fail, or is resolved. The caller has locked the payment. */
export async function dismissFailedRefund(
  transaction: Prisma.TransactionClient,
  { merchantId, refundId }: { merchantId: string; refundId: string },
  resolution: RefundResolution & { readonly note: string },
): Promise<boolean> {
  const { count } = await transaction.refund.updateMany({
    where: { ...UNRESOLVED, merchantId, id: refundId },
    data: { ...resolution, updatedAt: resolution.resolvedAt },
  });
  return count === 1;
}

/** {@link findRefund} inside the caller's transaction. */
export function readRefund(transaction: Prisma.TransactionClient, merchantId: string, refundId: string): Promise<Refund | null> {
  return transaction.refund.findUnique({ where: { merchantId_id: { merchantId, id: refundId } } });
}

/** A refund by its merchant and id; null when there is none. */
export function findRefund(database: Database, merchantId: string, refundId: string): Promise<Refund | null> {
  return readRefund(database.prisma, merchantId, refundId);
}

/** Refunds at an account that are not final and may match a webhook, oldest first, at most a hundred. */
export async function findRefundsByGatewayId(
  database: Database,
  merchantId: string,
  accountId: string,
  spoken: { readonly gatewayRefundId: string | null; readonly attemptId: string | null },
): Promise<Refund[]> {
  const unfinished = { merchantId, accountId, state: { in: [...UNFINISHED] } };
  const options = { orderBy: { createdAt: 'asc' }, take: MONEY_MAX } as const;
  const { gatewayRefundId, attemptId } = spoken;
  if (gatewayRefundId !== null) {
    const known = await database.prisma.refund.findMany({ where: { merchantId, accountId, gatewayRefundId }, ...options });
    if (known.length > 0) return known;
  }
  if (attemptId !== null) return database.prisma.refund.findMany({ where: { ...unfinished, attemptId }, ...options });
  // One of those whose gateway id is not known yet may match.
  return database.prisma.refund.findMany({ where: { ...unfinished, gatewayRefundId: null, sentAt: { not: null } }, ...options });
}

const UNFINISHED = ['REQUESTED', 'PROCESSING', 'NEEDS_ATTENTION'] as const satisfies readonly RefundState[];

/** Refunds of one payment, newest first, those after `after`. */
export function listRefundsOfPayment(
  database: Database,
  { merchantId, paymentId }: { merchantId: string; paymentId: string },
  after: { readonly createdAt: Date; readonly refundId: string } | null,
  limit: number,
): Promise<Refund[]> {
  const later =
    after === null
      ? {}
      : { OR: [{ createdAt: { lt: after.createdAt } }, { createdAt: after.createdAt, id: { lt: after.refundId } }] };
  return database.prisma.refund.findMany({
    where: { merchantId, paymentId, ...later },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit,
  });
}

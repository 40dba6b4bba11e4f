import { createHash } from 'node:crypto';
import type { Database, JsonValue } from '@switchyard/db';
import type { Mode, Payment, PaymentStatus, Refund } from '@switchyard/db/client';
import { findPaymentIdByOrder } from '@switchyard/payments/initiate';
import { numberOf } from '../numbers/queries.ts';

/** A payment as the dialects describe it. Amounts are main units; decimals are exact text. */
export interface Transaction {
  readonly merchantId: string;
  readonly paymentId: string;
  /** Numeric id. */
  readonly number: number;
  readonly mode: Mode;
  readonly reference: string;
  readonly status: PaymentStatus;
  /** Received money does not match the order, and a person decides. */
  readonly underReview: boolean;
  /** True if all of a paid payment's money went back, and its gateway took at least a part of it. */
  readonly isReversed: boolean;
  readonly amount: bigint;
  readonly currency: string;
  readonly email: string;
  readonly phone: string | null;
  readonly metadata: JsonValue;
  /** How it was paid, else how it was to be paid; null while nothing is known. */
  readonly method: string | null;
  readonly fee: string | null;
  readonly gatewayReference: string | null;
  /** The gateway's message about the last attempt that failed. */
  readonly failure: string | null;
  readonly paidAt: Date | null;
  readonly createdAt: Date;
}

/** A merchant's payment as a transaction with its number, or null. */
export async function readTransaction(
  database: Database,
  { merchantId, paymentId }: { readonly merchantId: string; readonly paymentId: string },
  now: Date,
): Promise<Transaction | null> {
  const payment = await database.prisma.payment.findUnique({
    where: { merchantId_id: { merchantId, id: paymentId } },
    include: { attempts: { where: { failureMessage: { not: null } }, orderBy: { position: 'desc' }, take: 1 } },
  });
  if (payment === null) return null;
  const number = await numberOf(database, { merchantId, kind: 'payment', objectId: paymentId }, null, now);
  return {
    merchantId,
    paymentId,
    number,
    mode: payment.mode,
    reference: payment.merchantOrderId,
    status: payment.status,
    underReview: payment.review === 'OPEN',
    isReversed: isReversed(payment),
    amount: payment.amount,
    currency: payment.currency,
    email: payment.customerEmail,
    phone: payment.customerPhone,
    metadata: readJson(payment.metadata),
    method: payment.paidMethod ?? payment.paymentMethod,
    fee: payment.feeAmount?.toFixed() ?? null,
    gatewayReference: payment.gatewayReference,
    failure: payment.attempts[0]?.failureMessage ?? null,
    paidAt: payment.paidAt,
    createdAt: payment.createdAt,
  };
}

function isReversed({ amount, refundedAmount, reversedAmount, reversedAt }: Payment): boolean {
  return reversedAt !== null && reversedAmount.plus(String(refundedAmount)).gte(String(amount));
}

/** The id of the merchant's payment of a mode with a reference, or null. */
export async function findByReference(
  database: Database,
  { merchantId, mode }: { readonly merchantId: string; readonly mode: Mode },
  reference: string,
): Promise<string | null> {
  // PostgreSQL takes no NUL, and so no payment has one.
  if (reference.includes('\0') || !reference.isWellFormed()) return null;
  return (await findPaymentIdByOrder(database, { merchantId, mode, merchantOrderId: reference })) ?? null;
}

/** A refund with its number. */
export interface NumberedRefund extends Pick<Refund, 'state' | 'amount' | 'currency' | 'reason' | 'createdAt' | 'updatedAt'> {
  readonly number: number;
}

/** A refund as the dialects describe it. */
export async function numberRefund(database: Database, refund: Refund, now: Date): Promise<NumberedRefund> {
  const { merchantId, id: objectId, state, amount, currency, reason, createdAt, updatedAt } = refund;
  const number = await numberOf(database, { merchantId, kind: 'refund', objectId }, null, now);
  return { number, state, amount, currency, reason, createdAt, updatedAt };
}

const DERIVED_DIGITS = 7;

/** A number derived from a text, always the same, for fields that nothing is looked up by; two texts may share one. */
export function derivedNumber(...texts: readonly string[]): number {
  return Number.parseInt(derivedCode(...texts).slice(0, DERIVED_DIGITS), 16);
}

/** Hexadecimal digits derived from a text, always the same. */
export function derivedCode(...texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex');
}

function readJson(value: unknown): JsonValue {
  return value === undefined || value === null ? null : JSON.parse(JSON.stringify(value));
}

import { createHash } from 'node:crypto';
import type { Database, JsonValue } from '@switchyard/db';
import type { Mode, PaymentStatus, Prisma, Refund } from '@switchyard/db/client';
import { findPaymentIdByOrder } from '@switchyard/payments/initiate';
import { type CustomerName, splitMetadata } from '../customer-name.ts';
import { numberOf, numbersOf } from '../numbers/numbers.ts';

/** The state of a transaction, as far as the dialects tell them apart. */
export type TransactionState =
  /** The customer may still pay it. */
  | 'open'
  /** Received money does not match the order, and a person decides. */
  | 'under_review'
  | 'paid'
  | 'failed'
  /** All of its money went back: refunded, or taken back by the gateway. */
  | 'reversed';

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
  readonly customerName: CustomerName;
  /** Numeric id of the customer: the number of the first payment of the mode with the e-mail address. */
  readonly customerNumber: number;
  /** As the merchant sent it. */
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

/** The state of a transaction. */
export function stateOf({
  status,
  underReview,
  isReversed,
}: Pick<Transaction, 'status' | 'underReview' | 'isReversed'>): TransactionState {
  switch (status) {
    case 'INITIATED':
    case 'PENDING':
      return underReview ? 'under_review' : 'open';
    case 'SUCCESS':
      return isReversed ? 'reversed' : 'paid';
    case 'FAILED':
      return 'failed';
    case 'REFUNDED':
      return 'reversed';
    default:
      return status satisfies never;
  }
}

const COLUMNS = {
  id: true,
  mode: true,
  merchantOrderId: true,
  status: true,
  review: true,
  amount: true,
  refundedAmount: true,
  reversedAmount: true,
  reversedAt: true,
  currency: true,
  customerEmail: true,
  customerPhone: true,
  metadata: true,
  paidMethod: true,
  paymentMethod: true,
  feeAmount: true,
  gatewayReference: true,
  paidAt: true,
  createdAt: true,
  attempts: {
    where: { failureMessage: { not: null } },
    orderBy: { position: 'desc' },
    take: 1,
    select: { failureMessage: true },
  },
} as const satisfies Prisma.PaymentSelect;
type PaymentRow = Prisma.PaymentGetPayload<{ select: typeof COLUMNS }>;

/** A merchant's payment as a transaction with its number, or null. */
export async function readTransaction(
  database: Database,
  { merchantId, paymentId }: { readonly merchantId: string; readonly paymentId: string },
  now: Date,
): Promise<Transaction | null> {
  const found = await readTransactions(database, { merchantId, paymentIds: [paymentId] }, now);
  return found.get(paymentId) ?? null;
}

/** A merchant's payments as transactions with their numbers, by their ids. */
export async function readTransactions(
  database: Database,
  { merchantId, paymentIds }: { readonly merchantId: string; readonly paymentIds: readonly string[] },
  now: Date,
): Promise<ReadonlyMap<string, Transaction>> {
  const where = { merchantId, id: { in: [...paymentIds] } };
  const rows = await database.prisma.payment.findMany({ where, select: COLUMNS });
  if (rows.length === 0) return new Map();
  const customers = rows.map(({ mode, customerEmail: email }) => ({ mode, email }));
  const firsts = await findFirstPayments(database, merchantId, customers);
  const objectIds = [...rows.map(({ id }) => id), ...firsts].filter((id) => id !== undefined);
  const numbers = await numbersOf(database, { merchantId, kind: 'payment', objectIds }, now);
  const numberAt = (id: string | undefined) => numbers.get(id ?? '') ?? 0;
  return new Map(
    rows.map((row, place) => [row.id, describe(merchantId, row, { own: numberAt(row.id), customer: numberAt(firsts[place]) })]),
  );
}

function describe(
  merchantId: string,
  payment: PaymentRow,
  numbers: { readonly own: number; readonly customer: number },
): Transaction {
  const { metadata, customerName } = splitMetadata(readJson(payment.metadata));
  return {
    merchantId,
    paymentId: payment.id,
    number: numbers.own,
    mode: payment.mode,
    reference: payment.merchantOrderId,
    status: payment.status,
    underReview: payment.review === 'OPEN',
    isReversed: isReversed(payment),
    amount: payment.amount,
    currency: payment.currency,
    email: payment.customerEmail,
    phone: payment.customerPhone,
    customerName,
    customerNumber: numbers.customer,
    metadata,
    method: payment.paidMethod ?? payment.paymentMethod,
    fee: payment.feeAmount?.toFixed() ?? null,
    gatewayReference: payment.gatewayReference,
    failure: payment.attempts[0]?.failureMessage ?? null,
    paidAt: payment.paidAt,
    createdAt: payment.createdAt,
  };
}

function isReversed({ amount, refundedAmount, reversedAmount, reversedAt }: PaymentRow): boolean {
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

export interface NumberedRefund extends Pick<Refund, 'state' | 'amount' | 'currency' | 'reason' | 'createdAt' | 'updatedAt'> {
  readonly number: number;
}

/** A refund as the dialects describe it. */
export async function numberRefund(database: Database, refund: Refund, now: Date): Promise<NumberedRefund> {
  const { merchantId, id: objectId } = refund;
  return withNumber(refund, await numberOf(database, { merchantId, kind: 'refund', objectId }, null, now));
}

/** A refund with a number that is its own. */
export function withNumber(
  { state, amount, currency, reason, createdAt, updatedAt }: Omit<NumberedRefund, 'number'>,
  number: number,
): NumberedRefund {
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

// By the index of e-mail addresses, whose rows of one address are in the order of their time.
const FIRST = `
SELECT wanted.place::int AS place, first.id
FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS wanted (mode, email, place)
CROSS JOIN LATERAL (
  SELECT id FROM payment WHERE merchant_id = $1::uuid AND mode = wanted.mode::mode AND lower(customer_email) = lower(wanted.email)
  ORDER BY created_at, id LIMIT 1) AS first`;

/** A customer of a mode by the e-mail address, in any case. */
interface CustomerOfMode {
  readonly mode: Mode;
  readonly email: string;
}

/**
 * The id of each customer's first payment, in the order of the customers. It identifies the customer, who has no row of its own: it stays
 * the same with each new payment, and leads back to the address.
 */
async function findFirstPayments(
  { pool }: Database,
  merchantId: string,
  customers: readonly CustomerOfMode[],
): Promise<readonly (string | undefined)[]> {
  const keyOf = ({ mode, email }: CustomerOfMode) => `${mode} ${email}`;
  const distinct = [...new Map(customers.map((customer) => [keyOf(customer), customer])).values()];
  const { rows } = await pool.query<{ place: number; id: string }>({
    name: 'find-first-payments',
    text: FIRST,
    values: [merchantId, distinct.map(({ mode }) => mode), distinct.map(({ email }) => email)],
  });
  const idAt = new Map(rows.map(({ place, id }) => [place, id]));
  const idOf = new Map(distinct.map((customer, index) => [keyOf(customer), idAt.get(index + 1)]));
  return customers.map((customer) => idOf.get(keyOf(customer)));
}

const EMAIL = `SELECT customer_email AS email FROM payment WHERE merchant_id = $1::uuid AND id = $2::uuid AND mode = $3::mode`;

/** The e-mail address of the customer of a merchant's payment of a mode, or null. */
export async function findCustomerEmail(
  { pool }: Database,
  { merchantId, mode }: { readonly merchantId: string; readonly mode: Mode },
  paymentId: string,
): Promise<string | null> {
  const { rows } = await pool.query<{ email: string }>({
    name: 'find-customer-email',
    text: EMAIL,
    values: [merchantId, paymentId, mode],
  });
  return rows[0]?.email ?? null;
}

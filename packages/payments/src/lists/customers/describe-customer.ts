import { type Database, isUuid } from '@switchyard/db';
import { type DisputeState, type Mode, Prisma, type RefundState } from '@switchyard/db/client';
import { DISPLAY_STATUS_SQL, type DisplayStatus } from '@switchyard/reporting/display-status';
import type { FailureReason } from '../../record/failure-reason.ts';
import { type CustomerIdentifiers, type CustomerSubject, findNewestPayments, identifiersOf } from './find-customer-payments.ts';

/** Identifiers by which payments are counted as one customer's. */
export const CUSTOMER_MATCHES = ['any', 'email', 'phone', 'id'] as const;

/** One of {@link CUSTOMER_MATCHES}: any of the three, or one alone, as shops send one phone number or address for many. */
export type CustomerMatch = (typeof CUSTOMER_MATCHES)[number];

/** A customer of a merchant, as far as the newest of their payments say. */
export interface CustomerSummary {
  /** All that identifies them on these payments. */
  readonly identifiers: CustomerIdentifiers;
  /** Ids of these payments, newest first, at most {@link CUSTOMER_PAYMENTS_MAX}. */
  readonly paymentIds: readonly string[];
  /** True if there are older ones, which nothing here counts. */
  readonly isCut: boolean;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
  /** By currency, the most frequent first. */
  readonly totals: readonly CustomerTotal[];
}

/** A customer's payments in one currency. Whole main units as `bigint`. */
export interface CustomerTotal {
  readonly currency: string;
  readonly payments: number;
  /** Paid, whether or not the money was returned later. */
  readonly paid: number;
  readonly failed: number;
  readonly paidAmount: bigint;
  readonly refundedAmount: bigint;
  /** Money that gateways took back, apart from refunds: an exact decimal. */
  readonly reversedAmount: string;
}

/** A customer with their newest payments, failed tries, refunds and disputes: at most {@link ROWS_MAX} of each. */
export interface CustomerDescription extends Omit<CustomerSummary, 'paymentIds'> {
  readonly kind: 'found';
  readonly merchantId: string;
  readonly mode: Mode;
  /** The identifiers by which the payments were looked up: those of the addressed payment that were to match. */
  readonly subject: CustomerSubject;
  /** The number of payments that were found. */
  readonly paymentCount: number;
  readonly payments: readonly CustomerPayment[];
  readonly tries: readonly FailedTry[];
  readonly refunds: readonly CustomerRefund[];
  readonly disputes: readonly CustomerDispute[];
}

/** A payment whose customer was erased. */
export interface ErasedCustomer {
  readonly kind: 'erased';
  readonly merchantId: string;
  readonly mode: Mode;
  readonly erasedAt: Date;
}

interface OfPayment {
  readonly paymentId: string;
  readonly merchantOrderId: string;
  readonly currency: string;
  readonly createdAt: Date;
}

export interface CustomerPayment extends OfPayment {
  readonly displayStatus: DisplayStatus;
  readonly amount: bigint;
  readonly failureReason: FailureReason | null;
  /** Name of the gateway that was paid, else of the one whose checkout the customer had; `` without either. */
  readonly gateway: string;
  readonly method: string | null;
  /** The last four digits of the card that paid; null where they are not known. */
  readonly cardLast4: string | null;
}

/** A payment that failed, or an attempt at a gateway that opened no checkout. */
export interface FailedTry extends OfPayment {
  readonly tryId: string;
  readonly kind: 'payment' | 'attempt';
  readonly amount: bigint;
  readonly gateway: string;
  /** Why the payment failed; null of an attempt. */
  readonly failureReason: FailureReason | null;
  /** The side at fault in an attempt's failure: `provider_fault`, `customer` or `our_configuration`; null of a payment. */
  readonly failureClass: string | null;
  /** The gateway's message, redacted; null where it gave none. */
  readonly message: string | null;
}

/** A refund of a customer's payment. */
export interface CustomerRefund extends OfPayment {
  readonly refundId: string;
  readonly amount: bigint;
  readonly state: RefundState;
  readonly failureMessage: string | null;
}

/** A dispute of a customer's payment; `createdAt` is when it was opened. */
export interface CustomerDispute extends OfPayment {
  readonly disputeId: string;
  /** An exact decimal. */
  readonly amount: string;
  readonly state: DisputeState;
  readonly dueAt: Date | null;
}

/** The most payments that are looked at: of an identifier that many people share, the newest. */
export const CUSTOMER_PAYMENTS_MAX = 5_000;
const ROWS_MAX = 100;

/** Database that is read; reports read from their own pool. */
type Source = Pick<Database, 'prisma' | 'pool'>;

/** The customer that any given identifier names; null without payments. */
export async function summariseCustomer(source: Source, subject: CustomerSubject): Promise<CustomerSummary | null> {
  const found = await findNewestPayments(source, subject, CUSTOMER_PAYMENTS_MAX + 1);
  const paymentIds = found.slice(0, CUSTOMER_PAYMENTS_MAX);
  const { merchantId } = subject;
  if (paymentIds.length === 0) return null;
  const [identifiers, rows] = await Promise.all([
    identifiersOf(source, merchantId, paymentIds),
    source.prisma.$queryRaw<(CustomerTotal & { readonly firstAt: Date; readonly lastAt: Date })[]>`
      SELECT currency::text AS currency, count(*)::int AS payments,
        (count(*) FILTER (WHERE status IN ('SUCCESS', 'REFUNDED')))::int AS paid,
        (count(*) FILTER (WHERE status = 'FAILED'))::int AS failed,
        coalesce(sum(amount) FILTER (WHERE status IN ('SUCCESS', 'REFUNDED')), 0)::int8 AS "paidAmount",
        sum(refunded_amount)::int8 AS "refundedAmount", trim_scale(sum(reversed_amount))::text AS "reversedAmount",
        min(created_at) AS "firstAt", max(created_at) AS "lastAt"
      FROM payment WHERE merchant_id = ${merchantId}::uuid AND id = ANY (${paymentIds}::uuid[])
      GROUP BY currency ORDER BY count(*) DESC, currency`,
  ]);
  return {
    identifiers,
    paymentIds,
    isCut: found.length > CUSTOMER_PAYMENTS_MAX,
    firstSeenAt: new Date(Math.min(...rows.map(({ firstAt }) => firstAt.getTime()))),
    lastSeenAt: new Date(Math.max(...rows.map(({ lastAt }) => lastAt.getTime()))),
    totals: rows.map(({ firstAt: _first, lastAt: _last, ...total }) => total),
  };
}

/**
 * The customer of a payment of one of these merchants, with all their payments that the same identifiers are on; null when none of the
 * merchants has the payment, even for a malformed id. Named by a payment, no address and no log names the person.
 */
export async function describeCustomer(
  source: Source,
  {
    merchantIds,
    paymentId,
    match,
  }: { readonly merchantIds: readonly string[]; readonly paymentId: string; readonly match: CustomerMatch },
): Promise<CustomerDescription | ErasedCustomer | null> {
  if (!isUuid(paymentId)) return null;
  const payment = await source.prisma.payment.findFirst({
    where: { merchantId: { in: [...merchantIds] }, id: paymentId },
    select: { merchantId: true, mode: true, customerEmail: true, customerPhone: true, customerId: true, customerErasedAt: true },
  });
  if (payment === null) return null;
  const { merchantId, mode, customerErasedAt: erasedAt } = payment;
  if (erasedAt !== null) return { kind: 'erased', merchantId, mode, erasedAt };
  const subject = subjectOf(payment, match);
  const summary = await summariseCustomer(source, subject);
  // The customer was erased in between.
  if (summary === null) return null;
  const { paymentIds, ...rest } = summary;
  const [payments, tries, refunds, disputes] = await Promise.all([
    readPayments(source, merchantId, paymentIds.slice(0, ROWS_MAX)),
    readTries(source, merchantId, paymentIds),
    readRefunds(source, merchantId, paymentIds),
    readDisputes(source, merchantId, paymentIds),
  ]);
  return {
    kind: 'found',
    merchantId,
    mode,
    subject,
    ...rest,
    paymentCount: paymentIds.length,
    payments,
    tries,
    refunds,
    disputes,
  };
}

interface Identified {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly customerEmail: string;
  readonly customerPhone: string | null;
  readonly customerId: string | null;
}

/** The identifiers of a payment that are to match; all of them where it lacks the one. */
function subjectOf(
  { merchantId, mode, customerEmail, customerPhone, customerId }: Identified,
  match: CustomerMatch,
): CustomerSubject {
  const none = { merchantId, mode, email: null, phone: null, customerId: null };
  switch (match) {
    case 'email':
      return { ...none, email: customerEmail };
    case 'phone':
      if (customerPhone !== null) return { ...none, phone: customerPhone };
      break;
    case 'id':
      if (customerId !== null) return { ...none, customerId };
      break;
    case 'any':
      break;
    default:
      return match satisfies never;
  }
  return { merchantId, mode, email: customerEmail, phone: customerPhone, customerId };
}

function readPayments({ prisma }: Source, merchantId: string, paymentIds: readonly string[]): Promise<CustomerPayment[]> {
  return prisma.$queryRaw`
    SELECT p.id AS "paymentId", p.merchant_order_id AS "merchantOrderId", ${Prisma.raw(DISPLAY_STATUS_SQL)} AS "displayStatus", p.amount,
      p.currency::text AS currency, p.failure_reason AS "failureReason",
      coalesce(p.account_gateway, p.recommended_gateway) AS gateway, coalesce(p.paid_method, p.payment_method) AS method,
      (SELECT event.detail->>'cardLast4' FROM timeline_event AS event
        WHERE event.merchant_id = p.merchant_id AND event.payment_id = p.id AND event.type = 'payment.succeeded'
        ORDER BY event.id DESC LIMIT 1) AS "cardLast4",
      p.created_at AS "createdAt"
    FROM payment AS p WHERE p.merchant_id = ${merchantId}::uuid AND p.id = ANY (${paymentIds}::uuid[])
    ORDER BY p.created_at DESC, p.id DESC LIMIT ${ROWS_MAX}`;
}

/** Where no gateway opened a checkout, its attempts say why; the payment would repeat them. */
function readTries({ prisma }: Source, merchantId: string, paymentIds: readonly string[]): Promise<FailedTry[]> {
  return prisma.$queryRaw`
    SELECT * FROM (
      (SELECT p.id AS "tryId", 'payment' AS kind, p.id AS "paymentId", p.merchant_order_id AS "merchantOrderId", p.amount,
        p.currency::text AS currency, coalesce(p.account_gateway, p.recommended_gateway) AS gateway, p.failure_reason AS "failureReason",
        NULL AS "failureClass",
        (SELECT event.detail->>'message' FROM timeline_event AS event
          WHERE event.merchant_id = p.merchant_id AND event.payment_id = p.id AND event.to_status = 'FAILED'
          ORDER BY event.id DESC LIMIT 1) AS message,
        p.created_at AS "createdAt"
      FROM payment AS p WHERE p.merchant_id = ${merchantId}::uuid AND p.id = ANY (${paymentIds}::uuid[]) AND p.status = 'FAILED'
        AND p.failure_reason IS DISTINCT FROM 'every_gateway_failed'
      ORDER BY p.created_at DESC, p.id DESC LIMIT ${ROWS_MAX})
      UNION ALL
      (SELECT a.id, 'attempt', p.id, p.merchant_order_id, p.amount, p.currency::text, a.gateway, NULL, a.failure_class, a.failure_message,
        a.created_at
      FROM attempt AS a JOIN payment AS p ON p.merchant_id = a.merchant_id AND p.id = a.payment_id
      WHERE a.merchant_id = ${merchantId}::uuid AND a.payment_id = ANY (${paymentIds}::uuid[]) AND a.state IN ('REFUSED', 'UNKNOWN')
      ORDER BY a.created_at DESC, a.id DESC LIMIT ${ROWS_MAX})) AS try
    ORDER BY "createdAt" DESC, "tryId" DESC LIMIT ${ROWS_MAX}`;
}

function readRefunds({ prisma }: Source, merchantId: string, paymentIds: readonly string[]): Promise<CustomerRefund[]> {
  return prisma.$queryRaw`
    SELECT r.id AS "refundId", r.payment_id AS "paymentId", p.merchant_order_id AS "merchantOrderId", r.amount,
      r.currency::text AS currency, r.state::text AS state, r.failure_message AS "failureMessage", r.created_at AS "createdAt"
    FROM refund AS r JOIN payment AS p ON p.merchant_id = r.merchant_id AND p.id = r.payment_id
    WHERE r.merchant_id = ${merchantId}::uuid AND r.payment_id = ANY (${paymentIds}::uuid[])
    ORDER BY r.created_at DESC, r.id DESC LIMIT ${ROWS_MAX}`;
}

function readDisputes({ prisma }: Source, merchantId: string, paymentIds: readonly string[]): Promise<CustomerDispute[]> {
  return prisma.$queryRaw`
    SELECT d.id AS "disputeId", d.payment_id AS "paymentId", p.merchant_order_id AS "merchantOrderId",
      trim_scale(d.amount)::text AS amount, d.currency::text AS currency, d.state::text AS state, d.due_at AS "dueAt",
      d.opened_at AS "createdAt"
    FROM dispute AS d JOIN payment AS p ON p.merchant_id = d.merchant_id AND p.id = d.payment_id
    WHERE d.merchant_id = ${merchantId}::uuid AND d.payment_id = ANY (${paymentIds}::uuid[])
    ORDER BY d.opened_at DESC, d.id DESC LIMIT ${ROWS_MAX}`;
}

import type { Database } from '@switchyard/db';
import { isUuid } from '@switchyard/db';
import { type Mode, type PaymentStatus, Prisma, type ReviewState } from '@switchyard/db/client';

/*
 * Lists for the dashboard, across the merchants the caller may see, newest first. A list of all merchants is read from an index by
 * time; otherwise each merchant's part is read from the index that leads with the merchant, and the parts are merged. The cost of a
 * page does not depend on the number of payments.
 */

/** One line of a list of payments. */
export interface PaymentListItem {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly merchantOrderId: string;
  readonly status: PaymentStatus;
  /** Whole main units. */
  readonly amount: bigint;
  readonly currency: string;
  /** Name of the gateway whose session the customer has; `` when none was eligible. */
  readonly gateway: string;
  /** The method that was used, else the requested one. */
  readonly paymentMethod: string | null;
  readonly customerEmail: string;
  readonly customerId: string | null;
  readonly ruleId: string | null;
  readonly gatewayReference: string | null;
  readonly refundedAmount: bigint;
  readonly late: boolean;
  readonly review: ReviewState | null;
  /** The number of checkout attempts. */
  readonly attemptCount: number;
  readonly createdAt: Date;
}

/** The filter of a list. Empty lists match all. */
export interface PaymentListFilter {
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  readonly statuses: readonly PaymentStatus[];
  /** Names of gateways; `` for payments that none could take. */
  readonly gateways: readonly string[];
  /** The gateway that was paid, else the one that opened the checkout the customer had; `` for neither, null for any. */
  readonly openedAt: string | null;
  /** The method that was used, else the requested one; null among them for neither; empty for any. */
  readonly methods: readonly (string | null)[];
  /** Whole main units, both inclusive; null for any. */
  readonly minAmount: bigint | null;
  readonly maxAmount: bigint | null;
  /** Id of the rule that routed it; `` for none, null for any. */
  readonly ruleId: string | null;
  /** The account that was paid, else the one whose checkout the customer had; null for any. */
  readonly accountId: string | null;
  /** The customer's e-mail address, in any case, or the merchant's id of the customer; null for any. */
  readonly customer: string | null;
  /** Inclusive. */
  readonly from: Date | null;
  /** Exclusive. */
  readonly to: Date | null;
  /** Only these; null for any. */
  readonly paymentIds: readonly string[] | null;
  /** Only payments under review. */
  readonly underReview: boolean;
}

export interface PaymentPageFilter extends PaymentListFilter {
  /** Whether these are all merchants: the page is the same, and found by time alone. */
  readonly everyMerchant: boolean;
}

/** The last payment of the previous page. */
export interface PaymentPageKey {
  readonly createdAt: Date;
  readonly paymentId: string;
}

/** The `limit` newest payments of a filter that come after `after`. */
export function readPaymentPage(
  database: Database,
  filter: PaymentPageFilter,
  after: PaymentPageKey | null,
  limit: number,
): Promise<PaymentListItem[]> {
  const where = Prisma.join([...conditions(filter), ...(after === null ? [] : [isAfter(after)])], ' AND ');
  const byTime = Prisma.sql`SELECT merchant_id, id, created_at FROM payment WHERE merchant_id = ANY (${filter.merchantIds}::uuid[]) AND ${where}`;
  const byMerchant = Prisma.sql`SELECT part.* FROM unnest(${filter.merchantIds}::uuid[]) AS tenant (id) CROSS JOIN LATERAL (
        SELECT merchant_id, id, created_at FROM payment WHERE merchant_id = tenant.id AND ${where}
        ORDER BY created_at DESC, id DESC LIMIT ${limit}) AS part`;
  // The keys first: most filters are answered by the index alone, and only rows of the page are read.
  return database.prisma.$queryRaw<PaymentListItem[]>`
    WITH shown AS MATERIALIZED (
      ${filter.everyMerchant ? byTime : byMerchant} ORDER BY created_at DESC, id DESC LIMIT ${limit})
    SELECT payment.merchant_id AS "merchantId", payment.id AS "paymentId", merchant_order_id AS "merchantOrderId",
      status::text AS status, amount, currency::text AS currency, recommended_gateway AS gateway,
      COALESCE(paid_method, payment_method) AS "paymentMethod", customer_email AS "customerEmail", customer_id AS "customerId", rule_id AS "ruleId", gateway_reference AS "gatewayReference",
      refunded_amount AS "refundedAmount", late, review::text AS review,
      (SELECT count(*)::int FROM attempt
        WHERE attempt.merchant_id = payment.merchant_id AND attempt.payment_id = payment.id) AS "attemptCount",
      payment.created_at AS "createdAt"
    FROM shown JOIN payment ON payment.merchant_id = shown.merchant_id AND payment.id = shown.id
    ORDER BY payment.created_at DESC, payment.id DESC`;
}

function isAfter({ createdAt, paymentId }: PaymentPageKey): Prisma.Sql {
  return Prisma.sql`(created_at, id) < (${createdAt}, ${paymentId}::uuid)`;
}

function conditions(filter: PaymentListFilter): Prisma.Sql[] {
  const {
    mode,
    statuses,
    gateways,
    methods,
    minAmount,
    maxAmount,
    ruleId,
    accountId,
    openedAt,
    customer,
    from,
    to,
    paymentIds,
    underReview,
  } = filter;
  const found = [Prisma.sql`mode = ${mode}::mode`];
  const named = methods.filter((method) => method !== null);
  if (methods.length > 0) {
    const orNone = methods.includes(null) ? Prisma.sql` OR COALESCE(paid_method, payment_method) IS NULL` : Prisma.empty;
    found.push(Prisma.sql`(COALESCE(paid_method, payment_method) = ANY (${named}::text[])${orNone})`);
  }
  if (minAmount !== null) found.push(Prisma.sql`amount >= ${minAmount}`);
  if (maxAmount !== null) found.push(Prisma.sql`amount <= ${maxAmount}`);
  if (ruleId !== null) found.push(ruleId === '' ? Prisma.sql`rule_id IS NULL` : Prisma.sql`rule_id = ${ruleId}`);
  if (accountId !== null) found.push(Prisma.sql`account_id = ${accountId}::uuid`);
  if (openedAt === '') found.push(Prisma.sql`account_id IS NULL`);
  else if (openedAt !== null) found.push(Prisma.sql`account_gateway = ${openedAt}`);
  if (customer !== null) found.push(isOf(customer));
  if (statuses.length > 0) found.push(Prisma.sql`status = ANY (${statuses}::payment_status[])`);
  if (gateways.length > 0) found.push(Prisma.sql`recommended_gateway = ANY (${gateways}::text[])`);
  if (from !== null) found.push(Prisma.sql`created_at >= ${from}`);
  if (to !== null) found.push(Prisma.sql`created_at < ${to}`);
  if (underReview) found.push(Prisma.sql`review = 'OPEN'`);
  if (paymentIds !== null) found.push(Prisma.sql`id = ANY (${paymentIds}::uuid[])`);
  return found;
}

function isOf(customer: string): Prisma.Sql {
  return customer.includes('@') ? Prisma.sql`lower(customer_email) = lower(${customer})` : Prisma.sql`customer_id = ${customer}`;
}

const FOUND_MAX = 200;

/**
 * The payments that match a search text: their id, the beginning of their order id, an attempt's reference, or the customer's
 * e-mail address, in any case. At most 200, the newest of a customer's, each found by an index.
 */
export async function searchPaymentIds(
  database: Database,
  scope: { readonly merchantIds: readonly string[]; readonly mode: Mode },
  text: string,
): Promise<string[]> {
  if (isUuid(text)) return [text];
  const rows = await database.prisma.$queryRaw<{ id: string }[]>`
    (SELECT id FROM payment
      WHERE merchant_id = ANY (${scope.merchantIds}::uuid[]) AND mode = ${scope.mode}::mode
        AND merchant_order_id >= ${text} AND merchant_order_id < ${text} || chr(1114111) LIMIT ${FOUND_MAX})
    UNION
    (SELECT attempt.payment_id FROM gateway_account AS account
      JOIN attempt ON attempt.merchant_id = account.merchant_id AND attempt.account_id = account.id AND attempt.reference = ${text}
      WHERE account.merchant_id = ANY (${scope.merchantIds}::uuid[]) AND account.mode = ${scope.mode}::mode LIMIT ${FOUND_MAX})
    UNION
    (SELECT own.id FROM unnest(${text.includes('@') ? scope.merchantIds : []}::uuid[]) AS tenant (id) CROSS JOIN LATERAL (
      SELECT id FROM payment WHERE merchant_id = tenant.id AND mode = ${scope.mode}::mode AND lower(customer_email) = lower(${text})
      ORDER BY created_at DESC, id DESC LIMIT ${FOUND_MAX}) AS own)
    LIMIT ${FOUND_MAX}`;
  return rows.map((row) => row.id);
}

/** Payments of one gateway, status and currency, counted and added up. */
export interface PaymentSum {
  /** `` where no account was eligible. */
  readonly gateway: string;
  readonly status: PaymentStatus;
  readonly currency: string;
  readonly count: number;
  /** Whole main units. */
  readonly amount: bigint;
}

/** Counts and amounts of a filter's payments. */
export function sumPayments(database: Database, filter: PaymentListFilter): Promise<PaymentSum[]> {
  return database.prisma.$queryRaw<PaymentSum[]>`
    SELECT recommended_gateway AS gateway, status::text AS status, currency::text AS currency, count(*)::int AS count,
      sum(amount)::int8 AS amount
    FROM payment
    WHERE merchant_id = ANY (${filter.merchantIds}::uuid[]) AND ${Prisma.join(conditions(filter), ' AND ')}
    GROUP BY recommended_gateway, status, currency ORDER BY status, currency, recommended_gateway`;
}

const ATTEMPTS_MAX = 100;
const EVENTS_MAX = 500;
const REFUNDS_MAX = 100;

/** A payment of one of these merchants with its timeline, or null. `paymentId` must be a UUID. */
export function findPaymentWithTimeline(database: Database, merchantIds: readonly string[], paymentId: string) {
  return database.prisma.payment.findFirst({
    where: { merchantId: { in: [...merchantIds] }, id: paymentId },
    include: {
      attempts: { orderBy: { position: 'asc' }, take: ATTEMPTS_MAX },
      timeline: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], take: EVENTS_MAX },
      refunds: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], take: REFUNDS_MAX },
    },
  });
}

/** A payment as {@link findPaymentWithTimeline} finds it. */
export type PaymentWithTimeline = NonNullable<Awaited<ReturnType<typeof findPaymentWithTimeline>>>;

import type { Database } from '@switchyard/db';
import { type DuplicateChargeState, type Mode, type PaymentStatus, Prisma, type RefundState } from '@switchyard/db/client';

/*
 * Lists for the dashboard, across the merchants the caller may see, newest first. Each merchant's part is read from the index that
 * leads with the merchant, and the parts are merged.
 */

/** The filter of a list. */
export interface MoneyListScope {
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  /** Empty means any. */
  readonly gateways: readonly string[];
  /** Inclusive. */
  readonly from: Date | null;
  /** Exclusive. */
  readonly to: Date | null;
  /** Only of this payment; null for any. */
  readonly paymentId: string | null;
}

/** The last row of the previous page. */
export interface MoneyPageKey {
  readonly createdAt: Date;
  readonly id: string;
}

/** One line of the list of refunds. */
export interface RefundListItem {
  readonly merchantId: string;
  readonly refundId: string;
  readonly paymentId: string;
  readonly merchantOrderId: string;
  /** Whole main units. */
  readonly amount: bigint;
  readonly paymentAmount: bigint;
  readonly currency: string;
  readonly gateway: string;
  readonly state: RefundState;
  readonly reason: string | null;
  readonly reference: string;
  readonly gatewayRefundId: string | null;
  readonly requestedBy: string;
  readonly duplicate: boolean;
  readonly mismatched: boolean;
  readonly failureMessage: string | null;
  /** It failed, its money is the payment's own, and it is not resolved. */
  readonly unresolved: boolean;
  /** The note of the staff user who dismissed it. */
  readonly note: string | null;
  readonly sentAt: Date | null;
  readonly nextCheckAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The condition of the partial index. */
const UNRESOLVED = Prisma.sql`state = 'FAILED' AND NOT duplicate AND NOT mismatched AND resolved_at IS NULL`;

export interface RefundListScope extends MoneyListScope {
  readonly states: readonly RefundState[];
  /** Only failed refunds that are not resolved. */
  readonly unresolved?: boolean;
}

/** The `limit` newest refunds in these states, any with none, that come after `after`. */
export function readRefundPage(
  database: Database,
  scope: RefundListScope,
  after: MoneyPageKey | null,
  limit: number,
): Promise<RefundListItem[]> {
  const own = conditions(scope, after);
  if (scope.states.length > 0) own.push(Prisma.sql`state = ANY (${scope.states}::refund_state[])`);
  if (scope.unresolved) own.push(UNRESOLVED);
  const where = Prisma.join(own, ' AND ');
  return database.prisma.$queryRaw<RefundListItem[]>`
    SELECT part.*, payment.merchant_order_id AS "merchantOrderId", payment.amount AS "paymentAmount"
    FROM unnest(${scope.merchantIds}::uuid[]) AS tenant (id) CROSS JOIN LATERAL (
      SELECT merchant_id AS "merchantId", id AS "refundId", payment_id AS "paymentId", amount, currency::text AS currency, gateway,
        state::text AS state, reason, reference, gateway_refund_id AS "gatewayRefundId", requested_by AS "requestedBy", duplicate,
        mismatched, failure_message AS "failureMessage", ${UNRESOLVED} AS unresolved, note, sent_at AS "sentAt", next_check_at AS "nextCheckAt",
        created_at AS "createdAt", updated_at AS "updatedAt"
      FROM refund WHERE merchant_id = tenant.id AND ${where} ORDER BY created_at DESC, id DESC LIMIT ${limit}) AS part
    JOIN payment ON payment.merchant_id = part."merchantId" AND payment.id = part."paymentId"
    ORDER BY part."createdAt" DESC, part."refundId" DESC LIMIT ${limit}`;
}

/** One line of the list of duplicate charges. */
export interface DuplicateChargeListItem {
  readonly merchantId: string;
  readonly duplicateChargeId: string;
  readonly paymentId: string;
  readonly merchantOrderId: string;
  readonly paymentStatus: PaymentStatus;
  readonly gateway: string;
  readonly reference: string;
  readonly transactionId: string;
  /** Exact decimal of the main unit. */
  readonly amount: string;
  readonly currency: string;
  readonly state: DuplicateChargeState;
  readonly refundId: string | null;
  /** The failure of its last refund, if any. */
  readonly failureMessage: string | null;
  readonly note: string | null;
  readonly resolvedBy: string | null;
  readonly resolvedAt: Date | null;
  readonly createdAt: Date;
}

/** The `limit` newest duplicate charges in these states, any with none, that come after `after`. */
export function readDuplicateChargePage(
  database: Database,
  scope: MoneyListScope & { readonly states: readonly DuplicateChargeState[] },
  after: MoneyPageKey | null,
  limit: number,
): Promise<DuplicateChargeListItem[]> {
  const states = scope.states.length === 0 ? [] : [Prisma.sql`state = ANY (${scope.states}::duplicate_charge_state[])`];
  const where = Prisma.join([...conditions(scope, after), ...states], ' AND ');
  return database.prisma.$queryRaw<DuplicateChargeListItem[]>`
    SELECT part.*, payment.merchant_order_id AS "merchantOrderId", payment.status::text AS "paymentStatus",
      refund.failure_message AS "failureMessage"
    FROM unnest(${scope.merchantIds}::uuid[]) AS tenant (id) CROSS JOIN LATERAL (
      SELECT merchant_id AS "merchantId", id AS "duplicateChargeId", payment_id AS "paymentId", gateway, reference,
        transaction_id AS "transactionId", trim_scale(amount)::text AS amount, currency::text AS currency, state::text AS state,
        refund_id AS "refundId", note, resolved_by AS "resolvedBy", resolved_at AS "resolvedAt", created_at AS "createdAt"
      FROM duplicate_charge WHERE merchant_id = tenant.id AND ${where} ORDER BY created_at DESC, id DESC LIMIT ${limit}) AS part
    JOIN payment ON payment.merchant_id = part."merchantId" AND payment.id = part."paymentId"
    LEFT JOIN refund ON refund.merchant_id = part."merchantId" AND refund.id = part."refundId"
    ORDER BY part."createdAt" DESC, part."duplicateChargeId" DESC LIMIT ${limit}`;
}

/** One line of the list of payments under review. */
export interface ReviewListItem {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly merchantOrderId: string;
  readonly status: PaymentStatus;
  /** Whole main units. */
  readonly amount: bigint;
  readonly currency: string;
  readonly gateway: string;
  readonly reviewReason: string | null;
  /** The amount that the gateway reports as received; exact decimal of the main unit. */
  readonly receivedAmount: string | null;
  readonly receivedCurrency: string | null;
  /** A refund of it is in progress. */
  readonly refunding: boolean;
  /** The failure of its last refund, if any. */
  readonly failureMessage: string | null;
  readonly createdAt: Date;
}

/** The `limit` newest payments under review that come after `after`. */
export function readReviewPage(
  database: Database,
  scope: MoneyListScope,
  after: MoneyPageKey | null,
  limit: number,
): Promise<ReviewListItem[]> {
  const { paymentId, gateways, ...rest } = scope;
  const shared = conditions({ ...rest, gateways: [], paymentId: null }, after);
  const own = [
    ...(gateways.length === 0 ? [] : [Prisma.sql`recommended_gateway = ANY (${gateways}::text[])`]),
    ...(paymentId === null ? [] : [Prisma.sql`id = ${paymentId}::uuid`]),
  ];
  const where = Prisma.join([...shared, ...own], ' AND ');
  return database.prisma.$queryRaw<ReviewListItem[]>`
    SELECT part.*, last.failure_message AS "failureMessage",
      coalesce(last.state IN ('REQUESTED', 'PROCESSING', 'NEEDS_ATTENTION'), false) AS refunding
    FROM unnest(${scope.merchantIds}::uuid[]) AS tenant (id) CROSS JOIN LATERAL (
      SELECT merchant_id AS "merchantId", id AS "paymentId", merchant_order_id AS "merchantOrderId", status::text AS status, amount,
        currency::text AS currency, recommended_gateway AS gateway, review_reason AS "reviewReason",
        trim_scale(received_amount)::text AS "receivedAmount", received_currency::text AS "receivedCurrency",
        created_at AS "createdAt"
      FROM payment WHERE merchant_id = tenant.id AND review = 'OPEN' AND ${where}
      ORDER BY created_at DESC, id DESC LIMIT ${limit}) AS part
    LEFT JOIN LATERAL (
      SELECT state, failure_message FROM refund
      WHERE refund.merchant_id = part."merchantId" AND refund.payment_id = part."paymentId" AND refund.mismatched
      ORDER BY refund.created_at DESC, refund.id DESC LIMIT 1) AS last ON true
    ORDER BY part."createdAt" DESC, part."paymentId" DESC LIMIT ${limit}`;
}

function conditions(scope: MoneyListScope, after: MoneyPageKey | null): Prisma.Sql[] {
  const { mode, gateways, from, to, paymentId } = scope;
  const found = [Prisma.sql`mode = ${mode}::mode`];
  if (gateways.length > 0) found.push(Prisma.sql`gateway = ANY (${gateways}::text[])`);
  if (from !== null) found.push(Prisma.sql`created_at >= ${from}`);
  if (to !== null) found.push(Prisma.sql`created_at < ${to}`);
  if (paymentId !== null) found.push(Prisma.sql`payment_id = ${paymentId}::uuid`);
  if (after !== null) found.push(Prisma.sql`(created_at, id) < (${after.createdAt}, ${after.id}::uuid)`);
  return found;
}

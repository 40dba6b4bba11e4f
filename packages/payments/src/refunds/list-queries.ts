import type { Database } from '@switchyard/db';
import { type DuplicateChargeState, type Mode, type PaymentStatus, Prisma, type RefundState } from '@switchyard/db/client';
import { countByValue, selectPage, type ValueCount } from '@switchyard/db/lists';
import { type DuplicateChargeFilter, duplicateChargeList } from '../lists/duplicate-charge-filter.ts';
import { type MoneyPagePart, moneyPage, orderClause } from '../lists/money-page.ts';
import { type PaymentFilter, paymentList } from '../lists/payment-filter.ts';
import { IS_UNRESOLVED, type RefundFilter, refundList } from '../lists/refund-filter.ts';

/*
 * Lists for the dashboard, across the merchants the caller may see, newest first unless another order is wanted.
 */

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
  readonly reasonCode: string | null;
  /** Its title in the merchant's list; null without a code, and for one that is no longer kept. */
  readonly reasonTitle: string | null;
  readonly reference: string;
  readonly gatewayRefundId: string | null;
  readonly requestedBy: string;
  readonly duplicate: boolean;
  readonly mismatched: boolean;
  readonly failureMessage: string | null;
  /** It waits for a person, and was not sent: the gateway may have made it before rows were lost. */
  readonly held: boolean;
  /** It failed, its money is the payment's own, and it is not resolved. */
  readonly unresolved: boolean;
  /** The note of the staff user who dismissed it. */
  readonly note: string | null;
  readonly sentAt: Date | null;
  readonly nextCheckAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A page of refunds; `unresolved` for only failed ones that are not resolved. */
export function readRefundPage(
  database: Database,
  { unresolved = false, ...filter }: RefundFilter & { readonly unresolved?: boolean },
  page: MoneyPagePart,
): Promise<RefundListItem[]> {
  const list = refundList(filter);
  const conditions = [...list.conditions, ...(unresolved ? [IS_UNRESOLVED] : [])];
  return database.prisma.$queryRaw<RefundListItem[]>`
    WITH page AS MATERIALIZED (${selectPage({ ...list, conditions }, moneyPage(page))})
    SELECT p.merchant_id AS "merchantId", p.id AS "refundId", p.payment_id AS "paymentId",
      payment.merchant_order_id AS "merchantOrderId", payment.amount AS "paymentAmount", p.amount, p.currency::text AS currency,
      p.gateway, p.state::text AS state, p.reason, p.reason_code AS "reasonCode",
      (SELECT each->>'title' FROM json_array_elements(control.reason_codes) AS each WHERE each->>'code' = p.reason_code LIMIT 1)
        AS "reasonTitle", p.reference, p.gateway_refund_id AS "gatewayRefundId",
      p.requested_by AS "requestedBy", p.duplicate, p.mismatched, p.failure_message AS "failureMessage",
      p.state = 'NEEDS_ATTENTION' AND p.held_at IS NOT NULL AS held, ${IS_UNRESOLVED} AS unresolved, p.note, p.sent_at AS "sentAt", p.next_check_at AS "nextCheckAt",
      p.created_at AS "createdAt", p.updated_at AS "updatedAt"
    FROM page
    JOIN refund AS p ON p.merchant_id = page.merchant_id AND p.id = page.id
    JOIN payment ON payment.merchant_id = p.merchant_id AND payment.id = p.payment_id
    LEFT JOIN refund_control AS control ON control.merchant_id = p.merchant_id
    ${Prisma.raw(orderClause(page.sort))}`;
}

/** Counts a filter's refunds by state, whatever states it names itself. Null where that took too long. */
export function countRefundsByState(
  database: Database,
  filter: RefundFilter,
  states: readonly RefundState[],
): Promise<ValueCount[] | null> {
  const list = refundList({ ...filter, states: [] });
  return countByValue(database.prisma, list, { column: 'state', type: 'refund_state', values: states });
}

/** Counts a filter's duplicate charges by state, whatever states it names itself. Null where that took too long. */
export function countDuplicateChargesByState(
  database: Database,
  filter: DuplicateChargeFilter,
  states: readonly DuplicateChargeState[],
): Promise<ValueCount[] | null> {
  const list = duplicateChargeList({ ...filter, states: [] });
  return countByValue(database.prisma, list, { column: 'state', type: 'duplicate_charge_state', values: states });
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

/** A page of duplicate charges. */
export function readDuplicateChargePage(
  database: Database,
  filter: DuplicateChargeFilter,
  page: MoneyPagePart,
): Promise<DuplicateChargeListItem[]> {
  return database.prisma.$queryRaw<DuplicateChargeListItem[]>`
    WITH page AS MATERIALIZED (${selectPage(duplicateChargeList(filter), moneyPage(page))})
    SELECT p.merchant_id AS "merchantId", p.id AS "duplicateChargeId", p.payment_id AS "paymentId",
      payment.merchant_order_id AS "merchantOrderId", payment.status::text AS "paymentStatus", p.gateway, p.reference,
      p.transaction_id AS "transactionId", trim_scale(p.amount)::text AS amount, p.currency::text AS currency,
      p.state::text AS state, p.refund_id AS "refundId", refund.failure_message AS "failureMessage", p.note,
      p.resolved_by AS "resolvedBy", p.resolved_at AS "resolvedAt", p.created_at AS "createdAt"
    FROM page
    JOIN duplicate_charge AS p ON p.merchant_id = page.merchant_id AND p.id = page.id
    JOIN payment ON payment.merchant_id = p.merchant_id AND payment.id = p.payment_id
    LEFT JOIN refund ON refund.merchant_id = p.merchant_id AND refund.id = p.refund_id
    ${Prisma.raw(orderClause(page.sort))}`;
}

/** A payment under review as its row shows it. */
export interface ReviewRow {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly mode: Mode;
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
  readonly createdAt: Date;
}

/** A page of payments under review. */
export async function readReviewPage(database: Database, filter: PaymentFilter, page: MoneyPagePart): Promise<ReviewRow[]> {
  const list = await paymentList(database, { ...filter, underReview: true });
  return database.prisma.$queryRaw<ReviewRow[]>`
    WITH page AS MATERIALIZED (${selectPage(list, moneyPage(page))})
    SELECT p.merchant_id AS "merchantId", p.id AS "paymentId", p.mode::text AS mode, p.merchant_order_id AS "merchantOrderId",
      p.status::text AS status, p.amount, p.currency::text AS currency, p.recommended_gateway AS gateway, p.review_reason AS "reviewReason",
      trim_scale(p.received_amount)::text AS "receivedAmount", p.received_currency::text AS "receivedCurrency",
      p.created_at AS "createdAt"
    FROM page
    JOIN payment AS p ON p.merchant_id = page.merchant_id AND p.id = page.id
    ${Prisma.raw(orderClause(page.sort))}`;
}

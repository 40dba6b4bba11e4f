import { type Database, isUuid } from '@switchyard/db';
import {
  type DuplicateChargeState,
  type Mode,
  type PaymentStatus,
  Prisma,
  type Refund,
  type RefundState,
} from '@switchyard/db/client';
import {
  countByValue,
  countOf,
  countOfAll,
  type ListCount,
  selectPage,
  type TimeKey,
  type ValueCount,
} from '@switchyard/db/lists';
import { listOf } from '@switchyard/nouns';
import { inSnapshot } from '@switchyard/runtime/in-snapshot';
import type { PaymentsContext } from '../record/context.ts';
import { findPayment } from '../record/find-payment.ts';
import { type MismatchedMoney, readMismatchedMoney } from '../record/mismatched-money.ts';
import { type MoneyPage, type MoneyPagePart, moneyPage, nextMoneyKey, orderClause } from '../record/money-page.ts';
import { type Caller, type Timings, timed } from '../record/order.ts';
import { findRefund, listRefundsOfPayment } from '../record/refund-queries.ts';
import { paymentList } from './payment-filter.ts';
import type { PaymentFilter } from './payment-noun.ts';
import {
  CHARGE_STATES,
  type DuplicateChargeFilter,
  duplicateChargeNoun,
  IS_UNRESOLVED,
  REFUND_STATES,
  type RefundFilter,
  refundNoun,
} from './refund-noun.ts';

export { describeRefundable } from './describe-refundable.ts';
export type { Refund };

/** A page of a list sorted by time, with the cursor of the next one, null on the last. */
export interface TimedPage<Item> {
  readonly items: readonly Item[];
  readonly next: TimeKey | null;
}

/** Refunds of one of the caller's payments, newest first. Undefined where {@link findPayment} returns undefined. */
export async function listRefunds(
  context: PaymentsContext,
  caller: Caller,
  query: { readonly paymentId: string; readonly after: TimeKey | null; readonly limit: number },
  timings: Timings,
): Promise<TimedPage<Refund> | undefined> {
  const payment = await findPayment(context, caller, query.paymentId, timings);
  if (payment === undefined) return undefined;
  const after = query.after === null ? null : { createdAt: query.after.createdAt, refundId: query.after.id };
  const rows = await timed(timings, 'db', () =>
    listRefundsOfPayment(context.resources.database, payment, after, query.limit + 1),
  );
  return page(rows, query.limit, ({ createdAt, id }) => ({ createdAt, id }));
}

/** One refund of one of the caller's payments, or undefined. */
export async function readOneRefund(
  context: PaymentsContext,
  caller: Caller,
  { paymentId, refundId }: { readonly paymentId: string; readonly refundId: string },
  timings: Timings,
): Promise<Refund | undefined> {
  const payment = isUuid(refundId) ? await findPayment(context, caller, paymentId, timings) : undefined;
  if (payment === undefined) return undefined;
  const refund = await timed(timings, 'db', () => findRefund(context.resources.database, payment.merchantId, refundId));
  return refund?.paymentId === payment.paymentId ? refund : undefined;
}

/** A refund of the caller in the caller's mode by its id alone, or undefined. */
export async function findRefundOf(
  { resources }: PaymentsContext,
  { configuration, mode }: Caller,
  refundId: string,
  timings: Timings,
): Promise<Refund | undefined> {
  if (!isUuid(refundId)) return undefined;
  const refund = await timed(timings, 'db', () => findRefund(resources.database, configuration.merchant.id, refundId));
  return refund?.mode === mode ? refund : undefined;
}

/** Refunds of several merchants, newest first unless another order is wanted; `unresolved` for only failed ones that are not resolved. */
export async function listRefundsFor(
  { resources }: PaymentsContext,
  { after, limit, sort, ...filter }: RefundFilter & MoneyPagePart & { readonly unresolved?: boolean },
): Promise<MoneyPage<RefundListItem>> {
  const rows = await readRefundPage(resources.database, filter, { after, limit: limit + 1, sort });
  const next = nextMoneyKey(rows, limit, ({ createdAt, refundId: id, amount }) => ({ createdAt, id, amount }));
  return { items: rows.slice(0, limit), next };
}

/** The numbers of refunds that a filter has in each state. */
export interface RefundCounts {
  /** The count of all states together, whatever states the filter names. */
  readonly all: ListCount;
  readonly byState: Readonly<Record<RefundState, ListCount>>;
}

/** Counts a filter's refunds by state. Null where that took too long to wait for. */
export async function countRefunds({ resources }: PaymentsContext, filter: RefundFilter): Promise<RefundCounts | null> {
  const found = await countRefundsByState(resources.database, filter, REFUND_STATES);
  if (found === null) return null;
  const byState = {
    REQUESTED: countOf(found, 'REQUESTED'),
    PROCESSING: countOf(found, 'PROCESSING'),
    SUCCEEDED: countOf(found, 'SUCCEEDED'),
    FAILED: countOf(found, 'FAILED'),
    NEEDS_ATTENTION: countOf(found, 'NEEDS_ATTENTION'),
  };
  return { all: countOfAll(found), byState };
}

/** The numbers of duplicate charges that a filter has in each state. */
export interface DuplicateChargeCounts {
  /** The count of all states together, whatever states the filter names. */
  readonly all: ListCount;
  readonly byState: Readonly<Record<DuplicateChargeState, ListCount>>;
}

/** Counts a filter's duplicate charges by state. Null where that took too long to wait for. */
export async function countDuplicateCharges(
  { resources }: PaymentsContext,
  filter: DuplicateChargeFilter,
): Promise<DuplicateChargeCounts | null> {
  const found = await countDuplicateChargesByState(resources.database, filter, CHARGE_STATES);
  if (found === null) return null;
  const byState = {
    OPEN: countOf(found, 'OPEN'),
    REFUNDING: countOf(found, 'REFUNDING'),
    REFUNDED: countOf(found, 'REFUNDED'),
    DISMISSED: countOf(found, 'DISMISSED'),
  };
  return { all: countOfAll(found), byState };
}

/** Duplicate charges of several merchants, newest first unless the oldest are wanted first. */
export async function listDuplicateCharges(
  { resources }: PaymentsContext,
  { after, limit, sort, ...filter }: DuplicateChargeFilter & MoneyPagePart,
): Promise<MoneyPage<DuplicateChargeListItem>> {
  const rows = await readDuplicateChargePage(resources.database, filter, { after, limit: limit + 1, sort });
  const next = nextMoneyKey(rows, limit, ({ createdAt, duplicateChargeId: id }) => ({ createdAt, id, amount: null }));
  return { items: rows.slice(0, limit), next };
}

/** One line of the list of payments under review. */
export interface ReviewListItem extends ReviewRow {
  /** Money under review: that of each attempt that received another amount or currency. Empty where a gateway named no transaction. */
  readonly mismatched: readonly MismatchedMoney[];
  /** A refund is in progress, and nothing else can be decided. */
  readonly refunding: boolean;
  /** The failure of the last refund of money that is still to be decided, if any. */
  readonly failureMessage: string | null;
}

/** Payments under review of several merchants, newest first unless the oldest are wanted first. */
export function listReviews(
  context: PaymentsContext,
  { after, limit, sort, ...filter }: PaymentFilter & MoneyPagePart,
): Promise<MoneyPage<ReviewListItem>> {
  return inSnapshot(context, async ({ resources: { database } }) => {
    const rows = await readReviewPage(database, filter, { after, limit: limit + 1, sort });
    const next = nextMoneyKey(rows, limit, ({ createdAt, paymentId: id, amount }) => ({ createdAt, id, amount }));
    const shown = rows.slice(0, limit);
    const money = await readMismatchedMoney(database.prisma, shown);
    return { items: shown.map((row) => ({ ...row, ...reviewOf(money.get(row.paymentId) ?? []) })), next };
  });
}

function reviewOf(mismatched: readonly MismatchedMoney[]): Omit<ReviewListItem, keyof ReviewRow> {
  const open = mismatched.filter(({ state }) => state === 'open');
  const refunding = open.length === 0 && mismatched.some(({ state }) => state === 'refunding');
  return { mismatched, refunding, failureMessage: open.find((each) => each.failureMessage !== null)?.failureMessage ?? null };
}

function page<Item>(rows: readonly Item[], limit: number, keyOf: (item: Item) => TimeKey): TimedPage<Item> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? keyOf(last) : null };
}

/*
 * Lists for the dashboard, across the merchants the caller may see, newest first unless another order is wanted.
 */

/** One line of the list of refunds. */
interface RefundListItem {
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
function readRefundPage(
  database: Database,
  { unresolved = false, ...filter }: RefundFilter & { readonly unresolved?: boolean },
  page: MoneyPagePart,
): Promise<RefundListItem[]> {
  const list = listOf(refundNoun, filter);
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
function countRefundsByState(
  database: Database,
  filter: RefundFilter,
  states: readonly RefundState[],
): Promise<ValueCount[] | null> {
  const list = listOf(refundNoun, { ...filter, states: [] });
  return countByValue(database.prisma, list, { column: 'state', type: 'refund_state', values: states });
}

/** Counts a filter's duplicate charges by state, whatever states it names itself. Null where that took too long. */
function countDuplicateChargesByState(
  database: Database,
  filter: DuplicateChargeFilter,
  states: readonly DuplicateChargeState[],
): Promise<ValueCount[] | null> {
  const list = listOf(duplicateChargeNoun, { ...filter, states: [] });
  return countByValue(database.prisma, list, { column: 'state', type: 'duplicate_charge_state', values: states });
}

/** One line of the list of duplicate charges. */
interface DuplicateChargeListItem {
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

function readDuplicateChargePage(
  database: Database,
  filter: DuplicateChargeFilter,
  page: MoneyPagePart,
): Promise<DuplicateChargeListItem[]> {
  return database.prisma.$queryRaw<DuplicateChargeListItem[]>`
    WITH page AS MATERIALIZED (${selectPage(listOf(duplicateChargeNoun, filter), moneyPage(page))})
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
interface ReviewRow {
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
async function readReviewPage(database: Database, filter: PaymentFilter, page: MoneyPagePart): Promise<ReviewRow[]> {
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

import { isUuid } from '@switchyard/db';
import type { DuplicateChargeState, Refund, RefundState } from '@switchyard/db/client';
import { countOf, countOfAll, type ListCount, type TimeKey } from '@switchyard/db/lists';
import { inSnapshot } from '@switchyard/runtime/in-snapshot';
import type { PaymentsContext } from '../context.ts';
import { findPayment } from '../life-cycle/find-payment.ts';
import { type Caller, type Timings, timed } from '../life-cycle/order.ts';
import type { DuplicateChargeFilter } from '../lists/duplicate-charge-filter.ts';
import { type MoneyKey, type MoneyPagePart, nextMoneyKey } from '../lists/money-page.ts';
import type { PaymentFilter } from '../lists/payment-filter.ts';
import type { RefundFilter } from '../lists/refund-filter.ts';
import { type MismatchedMoney, readMismatchedMoney } from '../reviews/mismatched-money.ts';
import {
  countDuplicateChargesByState,
  countRefundsByState,
  type DuplicateChargeListItem,
  type RefundListItem,
  type ReviewRow,
  readDuplicateChargePage,
  readRefundPage,
  readReviewPage,
} from './list-queries.ts';
import { findRefund, listRefundsOfPayment } from './queries.ts';

export type { Refund };

/** A page of a list with the cursor of the next one, null on the last. */
export interface MoneyPage<Item> {
  readonly items: readonly Item[];
  readonly next: MoneyKey | null;
}

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
  /** Of all states together, whatever states the filter names. */
  readonly all: ListCount;
  readonly byState: Readonly<Record<RefundState, ListCount>>;
}

const STATES = ['REQUESTED', 'PROCESSING', 'SUCCEEDED', 'FAILED', 'NEEDS_ATTENTION'] as const satisfies readonly RefundState[];

/** Counts a filter's refunds by state. Null where that took too long to wait for. */
export async function countRefunds({ resources }: PaymentsContext, filter: RefundFilter): Promise<RefundCounts | null> {
  const found = await countRefundsByState(resources.database, filter, STATES);
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
  /** Of all states together, whatever states the filter names. */
  readonly all: ListCount;
  readonly byState: Readonly<Record<DuplicateChargeState, ListCount>>;
}

const CHARGE_STATES = ['OPEN', 'REFUNDING', 'REFUNDED', 'DISMISSED'] as const satisfies readonly DuplicateChargeState[];

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

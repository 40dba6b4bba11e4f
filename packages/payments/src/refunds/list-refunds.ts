import { isUuid } from '@switchyard/db';
import type { Refund } from '@switchyard/db/client';
import type { TimeKey } from '@switchyard/db/lists';
import type { PaymentsContext } from '../context.ts';
import { findPayment } from '../life-cycle/find-payment.ts';
import { type Caller, type Timings, timed } from '../life-cycle/order.ts';
import type { DuplicateChargeFilter } from '../lists/duplicate-charge-filter.ts';
import type { PaymentFilter } from '../lists/payment-filter.ts';
import type { RefundFilter } from '../lists/refund-filter.ts';
import {
  type DuplicateChargeListItem,
  type MoneyPagePart,
  type RefundListItem,
  type ReviewListItem,
  readDuplicateChargePage,
  readRefundPage,
  readReviewPage,
} from './list-queries.ts';
import { findRefund, listRefundsOfPayment } from './queries.ts';

export type { Refund };

/** A page of a list with the cursor of the next one, null on the last. */
export interface MoneyPage<Item> {
  readonly items: readonly Item[];
  readonly next: TimeKey | null;
}

/** Refunds of one of the caller's payments, newest first. Undefined where {@link findPayment} returns undefined. */
export async function listRefunds(
  context: PaymentsContext,
  caller: Caller,
  query: { readonly paymentId: string; readonly after: TimeKey | null; readonly limit: number },
  timings: Timings,
): Promise<MoneyPage<Refund> | undefined> {
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

/** Refunds of several merchants, newest first; `unresolved` for only failed ones that are not resolved. */
export async function listRefundsFor(
  { resources }: PaymentsContext,
  { after, limit, ...filter }: RefundFilter & MoneyPagePart & { readonly unresolved?: boolean },
): Promise<MoneyPage<RefundListItem>> {
  const rows = await readRefundPage(resources.database, filter, { after, limit: limit + 1 });
  return page(rows, limit, ({ createdAt, refundId: id }) => ({ createdAt, id }));
}

/** Duplicate charges of several merchants, newest first. */
export async function listDuplicateCharges(
  { resources }: PaymentsContext,
  { after, limit, ...filter }: DuplicateChargeFilter & MoneyPagePart,
): Promise<MoneyPage<DuplicateChargeListItem>> {
  const rows = await readDuplicateChargePage(resources.database, filter, { after, limit: limit + 1 });
  return page(rows, limit, ({ createdAt, duplicateChargeId: id }) => ({ createdAt, id }));
}

/** Payments under review of several merchants, newest first. */
export async function listReviews(
  { resources }: PaymentsContext,
  { after, limit, ...filter }: PaymentFilter & MoneyPagePart,
): Promise<MoneyPage<ReviewListItem>> {
  const rows = await readReviewPage(resources.database, filter, { after, limit: limit + 1 });
  return page(rows, limit, ({ createdAt, paymentId: id }) => ({ createdAt, id }));
}

function page<Item>(rows: readonly Item[], limit: number, keyOf: (item: Item) => TimeKey): MoneyPage<Item> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? keyOf(last) : null };
}

import type { Mode, PaymentStatus } from '@switchyard/db/client';
import { countOf, countOfAll, type ListCount } from '@switchyard/db/lists';
import type { RuntimeContext } from '@switchyard/runtime';
import { startOfDay } from '@switchyard/runtime/calendar-days';
import type { PaymentsContext } from '../../record/context.ts';
import { type MoneyKey, type MoneyPagePart, nextMoneyKey } from '../../record/money-page.ts';
import type { PaymentFilter } from '../payment-noun.ts';
import { countPaymentsByStatus, type PaymentListItem, type PaymentSum, readPaymentPage, sumPayments } from './payment-queries.ts';

const PAGE_MAX = 200;

/** A filter and the page of its result, 1 to 200 rows. */
export type ListPaymentsQuery = PaymentFilter & MoneyPagePart;

/** A page of payments, in the order wanted. */
export interface PaymentPage {
  readonly items: readonly PaymentListItem[];
  /** Where the next page begins; null on the last one. */
  readonly next: MoneyKey | null;
  /** True if the search matches more payments than are listed, which are the newest. */
  readonly isSearchCut: boolean;
}

/** A page of payments, newest first unless another order is wanted. */
export async function listPayments(context: PaymentsContext, query: ListPaymentsQuery): Promise<PaymentPage> {
  const { database, configuration } = context.resources;
  const limit = Math.min(Math.max(1, query.limit), PAGE_MAX);
  if (query.merchantIds.length === 0) return { items: [], next: null, isSearchCut: false };
  const isAllMerchants = query.merchantIds.length === configuration.merchants().length;
  // One more than requested shows whether another page exists.
  const { rows, isCut } = await readPaymentPage(database, query, {
    isAllMerchants,
    now: context.now(),
    after: query.after,
    limit: limit + 1,
    sort: query.sort,
  });
  const next = nextMoneyKey(rows, limit, ({ createdAt, paymentId: id, amount }) => ({ createdAt, id, amount }));
  return { items: rows.slice(0, limit), next, isSearchCut: isCut };
}

/** The numbers of payments that a filter has in each status of the REST API. */
export interface StatusCounts {
  /** The count of all statuses together, whatever statuses the filter names. */
  readonly all: ListCount;
  readonly byStatus: Readonly<Record<PaymentStatus, ListCount>>;
}

/** Counts a filter's payments by status, to 10,000 each. Null where that took too long to wait for. */
export async function countListedPayments(
  { resources, now }: RuntimeContext<'database'>,
  filter: PaymentFilter,
): Promise<StatusCounts | null> {
  const found = filter.merchantIds.length === 0 ? [] : await countPaymentsByStatus(resources.database, filter, now());
  if (found === null) return null;
  const byStatus = {
    INITIATED: countOf(found, 'INITIATED'),
    PENDING: countOf(found, 'PENDING'),
    SUCCESS: countOf(found, 'SUCCESS'),
    FAILED: countOf(found, 'FAILED'),
    REFUNDED: countOf(found, 'REFUNDED'),
  };
  return { all: countOfAll(found), byStatus };
}

/** Today's totals so far, against the same hours a week ago. */
export interface TodaySummary {
  readonly asOf: Date;
  /** Midnight in the requested zone. */
  readonly dayStart: Date;
  readonly today: readonly PaymentSum[];
  readonly weekAgo: readonly PaymentSum[];
  /** Payments of any age under review. */
  readonly underReview: number;
}

const WEEK_MS = 7 * 86_400_000;

/** Counts and amounts per status and currency of today, by the calendar of `zone` (IANA). */
export async function summariseToday(
  context: PaymentsContext,
  query: { readonly merchantIds: readonly string[]; readonly mode: Mode; readonly zone: string },
): Promise<TodaySummary> {
  const { database } = context.resources;
  const asOf = context.now();
  const dayStart = startOfDay(asOf, query.zone);
  const any: PaymentFilter = { merchantIds: query.merchantIds, mode: query.mode };
  const [today, weekAgo, reviewed] = await Promise.all([
    sumPayments(database, { ...any, createdFrom: dayStart }),
    sumPayments(database, {
      ...any,
      createdFrom: new Date(dayStart.getTime() - WEEK_MS),
      createdTo: new Date(asOf.getTime() - WEEK_MS),
    }),
    sumPayments(database, { ...any, underReview: true }),
  ]);
  return { asOf, dayStart, today, weekAgo, underReview: reviewed.reduce((sum, { count }) => sum + count, 0) };
}
